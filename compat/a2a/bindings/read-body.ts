import type { Context } from "hono";
import { DomainError, createJsonError } from "../../../src/domain/kernel/errors.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { parseJson } from "../../../src/http/parse-json.ts";
import { decodeUtf8, getMediaType, isCompressed } from "../../../src/http/request-body.ts";
import { A2aError } from "../a2a-error.ts";
import type { A2aEnv } from "../a2a-app.ts";
import { A2A_TYPE } from "../protocol.ts";

const TYPES: ReadonlySet<string> = new Set(["application/json", A2A_TYPE]);

const JSON_LIMITS = {
  maxDepth: LIMITS.bodyDepth,
  maxContainers: LIMITS.bodyContainers,
  maxMembers: LIMITS.bodyMembers,
  maxValues: LIMITS.bodyValues,
  createError: createJsonError,
};

/**
 * Reads the body's JSON.
 *
 * @param ifEmpty the value of an empty body.
 * @throws {A2aError} PARSE_ERROR.
 * @throws {DomainError} unsupported_media_type; invalid_body for JSON beyond our limits.
 */
export async function readBody(c: Context<A2aEnv>, ifEmpty?: object): Promise<unknown> {
  const bytes = await c.req.arrayBuffer();
  if (bytes.byteLength === 0 && ifEmpty !== undefined) return ifEmpty;
  if (isCompressed(c) || !TYPES.has(getMediaType(c))) {
    const message = `The Content-Type must be application/json or ${A2A_TYPE}, and the body not compressed.`;
    throw new DomainError("unsupported_media_type", message);
  }
  const value = parseJson(decodeUtf8(bytes) ?? "", JSON_LIMITS);
  if (value === undefined) throw new A2aError("PARSE_ERROR", "The body is not valid JSON.");
  return value;
}
