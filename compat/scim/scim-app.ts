import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AuthServices } from "../../src/auth/authenticate.ts";
import { authenticateScim } from "../../src/auth/scim-tokens/authenticate-scim.ts";
import { credentialId } from "../../src/domain/kernel/actor.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { isObject } from "../../src/domain/kernel/is-object.ts";
import { DomainError, createBodyError } from "../../src/domain/kernel/errors.ts";
import { LIMITS } from "../../src/domain/kernel/limits.ts";
import type { HoldBody } from "../../src/http/held-bodies.ts";
import { limitBody } from "../../src/http/limit-body.ts";
import type { RateLimit } from "../../src/http/rate-limit.ts";
import type { HttpEnv } from "../../src/http/request.ts";
import { isCompressed, getMediaType, decodeUtf8 } from "../../src/http/request-body.ts";
import { SCIM_JSON } from "./urns.ts";

/** What a route of /scim/v2 finds in its context: the identity provider's. */
export type ScimEnv = { Bindings: HttpEnv["Bindings"]; Variables: HttpEnv["Variables"] & { ctx: Ctx } };

/** What the routes of /scim/v2 work with. */
export type ScimServices = AuthServices & { rateLimit: RateLimit; holdBody: HoldBody };

/** A set of routes. */
export type ScimApp = Hono<ScimEnv>;

/** Makes an empty set of routes. */
export function createScimApp(): ScimApp {
  return new Hono<ScimEnv>();
}

/** Finds out who asks, before anything else of the request is looked at. */
export function authenticateRequest(services: ScimServices): MiddlewareHandler<ScimEnv> {
  return async (c, next) => {
    const ctx = await authenticateScim(services, c);
    const { allowed, headers } = await services.rateLimit(credentialId(ctx.actor) ?? "");
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    if (!allowed) throw new DomainError("rate_limited", "Too many requests in this second.");
    ctx.signal = c.req.raw.signal;
    c.set("ctx", ctx);
    await next();
  };
}

/** Holds a body to what any request, a Bulk included, may send. */
export function limitScimBody({ holdBody }: ScimServices): MiddlewareHandler<ScimEnv> {
  const { bodyBytes: maxBytes } = LIMITS;
  return limitBody({
    maxBytes,
    holdBody,
    getHolder: (c) => c.get("ctx").workspaceId,
    refuse: (why) => {
      throw createBodyError(why, maxBytes);
    },
  });
}

const TYPES = new Set(["", SCIM_JSON, "application/json"]);

/**
 * Reads a request's body.
 *
 * @throws {DomainError} unsupported_media_type; invalid_body.
 * @see RFC 7644, 3.1 and 3.8.
 */
export async function readBody(c: Context<ScimEnv>): Promise<Record<string, unknown>> {
  if (isCompressed(c)) {
    throw new DomainError("unsupported_media_type", "A body must not be compressed.");
  }
  if (!TYPES.has(getMediaType(c))) {
    throw new DomainError("unsupported_media_type", `A body must be ${SCIM_JSON} or application/json.`);
  }
  const body = parseJson(await c.req.arrayBuffer());
  if (!isObject(body)) throw new DomainError("invalid_body", "The body must be one JSON object.");
  // Nothing of SCIM is half as deep; what is far deeper would overflow the stack.
  if (isDeeper(body, DEPTH)) throw new DomainError("invalid_body", `A body is nested at most ${DEPTH} deep.`);
  return body;
}

const DEPTH = 32;

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

function parseJson(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes) ?? "");
  } catch {
    return undefined;
  }
}

/** A member of a message, whatever the case of its name. @see RFC 7643, 2.1. */
export function getMember(message: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(message, name)) return message[name];
  const wanted = name.toLowerCase();
  return Object.entries(message).find(([key]) => key.toLowerCase() === wanted)?.[1];
}

/**
 * Holds a message to name its schema, and not another one only.
 *
 * @throws {DomainError} validation_failed.
 * @see RFC 7643, 3: "schemas"; RFC 7644, 3.1.
 */
export function requireSchema(message: Record<string, unknown>, urn: string): void {
  const schemas = getMember(message, "schemas");
  const named = Array.isArray(schemas) ? schemas.map((schema) => String(schema).toLowerCase()) : [];
  if (named.includes(urn.toLowerCase())) return;
  throw new DomainError("validation_failed", `schemas must name ${urn}.`, { field: "schemas" });
}

/** The address below which everything of SCIM stands. */
export function getBaseUrl(c: Context<ScimEnv>): string {
  return `${c.get("baseUrl")}/scim/v2`;
}

/** Only the caller may keep an answer. */
const ALWAYS = { "content-type": SCIM_JSON, "cache-control": "private, no-cache", vary: "Authorization" };

/** Answers JSON. */
export function answerJson(
  c: Context<ScimEnv>,
  body: object,
  { status = 200, headers = {} }: { status?: ContentfulStatusCode; headers?: Record<string, string> } = {},
): Response {
  return c.body(JSON.stringify(body), status, { ...ALWAYS, ...headers });
}

/** Answers by headers alone. @see RFC 9110, 15.4.5: a 304 has those that a 200 would have. */
export function answerNothing(
  c: Context<ScimEnv>,
  status: 204 | 304,
  headers: Record<string, string> = {},
): Response {
  return c.body(null, status, { ...ALWAYS, ...headers });
}
