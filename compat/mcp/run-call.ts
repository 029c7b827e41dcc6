import { toDomainError } from "../../src/domain/kernel/to-domain-error.ts";
import type { Call } from "./call.ts";
import type { EventStream, Method, Methods, Result } from "./method.ts";
import { META, RPC, SERVER_INFO } from "./protocol.ts";
import { RpcError, createInternalError, quote } from "./rpc-error.ts";

/**
 * Runs a request.
 *
 * @returns the message that answers it.
 * @throws {RpcError}
 * @throws {DomainError} for a caller who may not go on.
 */
export async function runCall(
  call: Call,
  methods: Methods,
  stream: EventStream | null = null,
): Promise<object> {
  const method = methods[call.era.name].get(call.method);
  if (method === undefined) {
    const status = call.era.name === "modern" ? 404 : 200;
    throw new RpcError(RPC.methodNotFound, `There is no method ${quote(call.method)}.`, { status });
  }
  return toMessage(call, await run(call, method, stream), method);
}

/** The message that answers a request with a result. */
export function toMessage({ id, era }: Call, result: Result, method: Pick<Method, "ttlMs"> = {}): object {
  return { jsonrpc: "2.0", id, result: era.name === "modern" ? extend(result, method) : result };
}

async function run(call: Call, method: Method, stream: EventStream | null): Promise<Result> {
  try {
    return await method.run(call, stream);
  } catch (error) {
    if (error instanceof RpcError) throw error;
    const known = toDomainError(error);
    if (known !== null) throw known;
    call.log.error({ err: error }, "an MCP method failed");
    throw createInternalError();
  }
}

function extend(result: Result, { ttlMs }: Pick<Method, "ttlMs">): Result {
  const { _meta: meta, ...rest } = result;
  return {
    resultType: "complete",
    ...rest,
    ...(ttlMs !== undefined && { ttlMs, cacheScope: "private" }),
    // The proxy names the server behind it.
    _meta: { [META.serverInfo]: SERVER_INFO, ...(meta as object | undefined) },
  };
}
