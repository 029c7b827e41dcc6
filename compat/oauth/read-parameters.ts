import type { Context } from "hono";
import { TokenRequestError } from "../../src/auth/workloads/token-request-error.ts";
import { decodeUtf8 } from "../../src/http/request-body.ts";
import type { HttpEnv } from "../../src/http/request.ts";

/** The parameters of a form, without those that have no value. */
export type Parameters = ReadonlyMap<string, string>;

/**
 * Reads the form of a request.
 *
 * @throws {TokenRequestError} invalid_request, also for a parameter that was sent twice.
 * @see RFC 6749, 3.2
 */
export async function readParameters(c: Context<HttpEnv>): Promise<Parameters> {
  const [type = ""] = (c.req.header("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded")
    throw createRequestError("The body must be application/x-www-form-urlencoded.");
  const text = decodeUtf8(await c.req.arrayBuffer());
  if (text === null) throw createRequestError("The body must be UTF-8.");
  const pairs = [...new URLSearchParams(text)];
  if (new Set(pairs.map(([name]) => name)).size < pairs.length)
    throw createRequestError("Every parameter may be sent once.");
  return new Map(pairs.filter(([, value]) => value !== ""));
}

/** @throws {TokenRequestError} invalid_request without it. */
export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw createRequestError(`${name} is missing.`);
  return value;
}

export function createRequestError(message: string): TokenRequestError {
  return new TokenRequestError("invalid_request", message);
}
