import { RPC } from "./protocol.ts";

export type RpcId = string | number;

/** The most of a caller's own text that a message quotes. */
const QUOTED = 100;

/** An error that JSON-RPC answers. Its status is 200 where the protocol asks for no other. */
export class RpcError extends Error {
  readonly code: number;
  readonly status: 200 | 400 | 404 | 415;
  readonly data: object | undefined;

  constructor(code: number, message: string, { status = 200, data }: RpcErrorOptions = {}) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

type RpcErrorOptions = { status?: RpcError["status"]; data?: object };

/** An error as JSON-RPC writes it. */
export function toErrorMessage(
  id: RpcId | null,
  { code, message, data }: Pick<RpcError, "code" | "message" | "data">,
) {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } };
}

export function createInternalError(): RpcError {
  return new RpcError(RPC.internalError, "Something went wrong on our side.");
}

/** A caller's text within a message. */
export function quote(text: string): string {
  return JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);
}
