import { DomainError } from "../../src/domain/kernel/errors.ts";
import { RPC } from "./protocol.ts";
import { RpcError } from "./rpc-error.ts";

/** Says that there is no such thing, or that the caller may not read it, as the protocol does. */
export function rejectUnknown(
  error: unknown,
  { code = RPC.invalidParams, data }: { code?: number; data?: object } = {},
): never {
  const isUnknown =
    error instanceof DomainError && (error.code === "not_found" || error.code === "insufficient_scope");
  throw isUnknown ? new RpcError(code, error.message, { ...(data !== undefined && { data }) }) : error;
}
