import { RPC } from "./protocol.ts";
import type { RpcRequest } from "./read-message.ts";
import { RpcError, quote } from "./rpc-error.ts";

/** Returns the request's header of this name. */
export type GetHeader = (name: string) => string | undefined;

/** The parameter that Mcp-Name repeats, by method. */
const NAMES = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

const BASE64 = /^=\?base64\?(?<text>[A-Za-z0-9+/]*={0,2})\?=$/;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Requires the headers by which proxies see what a request does, and that they say what its body says.
 *
 * @throws {RpcError} headerMismatch.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export function requireSameHeaders({ method, params }: RpcRequest, getHeader: GetHeader): void {
  if (getHeader("mcp-protocol-version") === undefined) throw createError("MCP-Protocol-Version is missing.");
  requireSame("Mcp-Method", getHeader("mcp-method"), method);
  const member = NAMES.get(method);
  const name = member === undefined ? undefined : params[member];
  if (typeof name === "string") requireSame("Mcp-Name", decode(getHeader("mcp-name")), name);
}

function requireSame(header: string, given: string | undefined, own: string): void {
  if (given === undefined) throw createError(`${header} is missing.`);
  if (given !== own) throw createError(`${header} must be ${quote(own)}, as in the body.`);
}

/** Names with characters that headers can't have are sent as `=?base64?…?=`. */
function decode(given: string | undefined): string | undefined {
  if (given === undefined || !/^=\?base64\?/i.test(given)) return given;
  const text = BASE64.exec(given)?.groups?.["text"];
  try {
    if (text !== undefined && text.length % 4 === 0) return UTF8.decode(Buffer.from(text, "base64"));
  } catch {
    // Not UTF-8.
  }
  throw createError("Mcp-Name is not valid Base64.");
}

function createError(message: string): RpcError {
  return new RpcError(RPC.headerMismatch, message, { status: 400 });
}
