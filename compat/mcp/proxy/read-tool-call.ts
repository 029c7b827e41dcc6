import type { ToolCall } from "../../../src/auth/upstream/call-mcp-tool.ts";
import { isObject } from "../../../src/domain/kernel/is-object.ts";
import type { Call } from "../call.ts";
import { RPC } from "../protocol.ts";
import { RpcError } from "../rpc-error.ts";
import { cutMeta } from "./cut-meta.ts";
import type { Proxied } from "./proxied.ts";

/** What clients may say to us about a call, in `_meta`. */
const OURS = { key: "agent-ops/idempotency-key", task: "agent-ops/task-id" } as const;

/**
 * Reads a call of a tool. Only what is known of it is passed on.
 *
 * @throws {RpcError} invalidParams.
 */
export function readToolCall(
  call: Call,
  { slug, session, tracestate }: Proxied,
): ToolCall & { key: string | undefined } {
  const { ctx, id, era, params } = call;
  const { name, arguments: given, _meta: meta } = params;
  if (typeof name !== "string") throw new RpcError(RPC.invalidParams, "name must be the name of a tool.");
  if (given !== undefined && !isObject(given)) {
    throw new RpcError(RPC.invalidParams, "arguments must be an object.");
  }
  const said = isObject(meta) ? meta : {};
  // Where the header can't be set by a client.
  ctx.traceparent ??= readText(said, "traceparent") ?? null;
  return {
    slug,
    id,
    name,
    arguments: given,
    session,
    meta: cutMeta(call),
    key: readText(said, OURS.key),
    taskId: readText(said, OURS.task),
    protocolVersion: era.version,
    headers: { "mcp-protocol-version": era.version, ...(tracestate !== null && { tracestate }) },
  };
}

/** @throws {RpcError} invalidParams. */
function readText(meta: Record<string, unknown>, name: string): string | undefined {
  const value = meta[name];
  if (value === undefined || typeof value === "string") return value;
  throw new RpcError(RPC.invalidParams, `_meta ${name} must be a string.`);
}
