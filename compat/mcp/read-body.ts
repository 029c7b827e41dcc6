import type { Context } from "hono";
import { LIMITS } from "../../src/domain/kernel/limits.ts";
import { parseStrictJson } from "../../src/domain/kernel/strict-json.ts";
import { decodeUtf8, getMediaType, isCompressed } from "../../src/http/request-body.ts";
import type { McpEnv } from "./mcp-app.ts";
import { RPC } from "./protocol.ts";
import { RpcError } from "./rpc-error.ts";

const JSON_LIMITS = { maxDepth: LIMITS.requestDepth, maxValues: LIMITS.bodyContainers };

/**
 * Reads the body's JSON, which must mean the same to every reader.
 *
 * @throws {RpcError} invalidRequest with status 415 or 400; parseError.
 */
export async function readBody(c: Context<McpEnv>): Promise<unknown> {
  if (isCompressed(c) || getMediaType(c) !== "application/json") {
    const message = "The Content-Type must be application/json, and the body not compressed.";
    throw new RpcError(RPC.invalidRequest, message, { status: 415 });
  }
  const parsed = parseStrictJson(decodeUtf8(await c.req.arrayBuffer()) ?? "", JSON_LIMITS);
  if (parsed === null) throw new RpcError(RPC.parseError, "The body is not valid JSON.", { status: 400 });
  if (!("problem" in parsed)) return parsed.value;
  const { path, message } = parsed.problem;
  throw new RpcError(RPC.invalidRequest, `${path === "" ? "The body" : path} ${message}.`, { status: 400 });
}
