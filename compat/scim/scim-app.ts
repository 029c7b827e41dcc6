import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { admitCaller } from "../../src/auth/admit-caller.ts";
import type { AuthServices } from "../../src/auth/authenticate.ts";
import { authenticateScim } from "../../src/auth/scim-tokens/authenticate-scim.ts";
import { getBodyHolder } from "../../src/domain/kernel/actor.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { isObject } from "../../src/domain/kernel/is-object.ts";
import { DomainError, createBodyError, createJsonError } from "../../src/domain/kernel/errors.ts";
import { LIMITS } from "../../src/domain/kernel/limits.ts";
import type { HoldBody } from "../../src/http/held-bodies.ts";
import { limitBody } from "../../src/http/limit-body.ts";
import { parseJson } from "../../src/http/parse-json.ts";
import type { RateLimit } from "../../src/http/rate-limit.ts";
import type { HttpEnv } from "../../src/http/request.ts";
import { isCompressed, getMediaType, decodeUtf8 } from "../../src/http/request-body.ts";
import { SCIM_JSON } from "./urns.ts";

/** Hono environment of the /scim/v2 routes. */
export type ScimEnv = { Bindings: HttpEnv["Bindings"]; Variables: HttpEnv["Variables"] & { ctx: Ctx } };

export type ScimServices = AuthServices & { rateLimit: RateLimit; holdBody: HoldBody };

export type ScimApp = Hono<ScimEnv>;

export function createScimApp(): ScimApp {
  return new Hono<ScimEnv>();
}

/** Authenticates the request and applies the rate limit, before anything else is read. */
export function authenticateRequest(services: ScimServices): MiddlewareHandler<ScimEnv> {
  return admitCaller({ rateLimit: services.rateLimit, identify: (c) => authenticateScim(services, c) });
}

/** Limits the size of every body, including a Bulk. */
export function limitScimBody({ holdBody }: ScimServices): MiddlewareHandler<ScimEnv> {
  const { bodyBytes: maxBytes } = LIMITS;
  return limitBody({
    maxBytes,
    holdBody,
    getHolder: (c) => getBodyHolder(c.get("ctx")),
    createError: createBodyError,
  });
}

const TYPES = new Set(["", SCIM_JSON, "application/json"]);

const JSON_LIMITS = {
  // Valid requests are less than half as deep. Very deep ones would overflow the stack.
  maxDepth: 32,
  maxContainers: LIMITS.bodyContainers,
  maxMembers: LIMITS.bodyMembers,
  maxValues: LIMITS.bodyValues,
  createError: createJsonError,
};

/**
 * Parses the body.
 *
 * @throws {DomainError} unsupported_media_type; invalid_body.
 * @see RFC 7644, 3.1 and 3.8.
 */
export async function readBody(c: Context<ScimEnv>): Promise<Record<string, unknown>> {
  if (isCompressed(c)) {
    throw new DomainError("unsupported_media_type", "The body must not be compressed.");
  }
  if (!TYPES.has(getMediaType(c))) {
    throw new DomainError("unsupported_media_type", `The body must be ${SCIM_JSON} or application/json.`);
  }
  const body = parseJson(decodeUtf8(await c.req.arrayBuffer()) ?? "", JSON_LIMITS);
  if (!isObject(body)) throw new DomainError("invalid_body", "The body must be a JSON object.");
  return body;
}

/** A member of a message. Names are case-insensitive. @see RFC 7643, 2.1. */
export function getMember(message: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(message, name)) return message[name];
  const wanted = name.toLowerCase();
  return Object.entries(message).find(([key]) => key.toLowerCase() === wanted)?.[1];
}

/**
 * Requires that the message's `schemas` include this one.
 *
 * @throws {DomainError} validation_failed.
 * @see RFC 7643, 3: "schemas"; RFC 7644, 3.1.
 */
export function requireSchema(message: Record<string, unknown>, urn: string): void {
  const schemas = getMember(message, "schemas");
  const named: unknown[] = Array.isArray(schemas) ? schemas : [];
  const wanted = urn.toLowerCase();
  if (named.some((schema) => typeof schema === "string" && schema.toLowerCase() === wanted)) return;
  throw new DomainError("validation_failed", `schemas must include ${urn}.`, { field: "schemas" });
}

/** The base URL of the SCIM API. */
export function getBaseUrl(c: Context<ScimEnv>): string {
  return `${c.get("baseUrl")}/scim/v2`;
}

/** Only the caller may cache a response. */
const ALWAYS = { "content-type": SCIM_JSON, "cache-control": "private, no-cache", vary: "Authorization" };

/** Responds with JSON. */
export function answerJson(
  c: Context<ScimEnv>,
  body: object,
  { status = 200, headers = {} }: { status?: ContentfulStatusCode; headers?: Record<string, string> } = {},
): Response {
  return c.body(JSON.stringify(body), status, { ...ALWAYS, ...headers });
}

/** Responds with headers only. A 304 has those of a 200. @see RFC 9110, 15.4.5. */
export function answerNothing(
  c: Context<ScimEnv>,
  status: 204 | 304,
  headers: Record<string, string> = {},
): Response {
  return c.body(null, status, { ...ALWAYS, ...headers });
}
