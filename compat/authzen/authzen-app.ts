import type { Context, Hono, MiddlewareHandler, Next } from "hono";
import { admitCaller } from "../../src/auth/admit-caller.ts";
import type { AuthServices } from "../../src/auth/authenticate.ts";
import { identify } from "../../src/auth/identify.ts";
import { getBodyHolder } from "../../src/domain/kernel/actor.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { DomainError, createBodyError, createJsonError } from "../../src/domain/kernel/errors.ts";
import { requireScope } from "../../src/domain/kernel/guard.ts";
import { isObject } from "../../src/domain/kernel/is-object.ts";
import { LIMITS } from "../../src/domain/kernel/limits.ts";
import type { HoldBody } from "../../src/http/held-bodies.ts";
import { limitBody } from "../../src/http/limit-body.ts";
import { parseJson } from "../../src/http/parse-json.ts";
import type { RateLimit } from "../../src/http/rate-limit.ts";
import type { HttpEnv } from "../../src/http/request.ts";
import { decodeUtf8, getMediaType, isCompressed } from "../../src/http/request-body.ts";

/** Hono environment of the /access/v1 routes. */
export type AuthzenEnv = { Bindings: HttpEnv["Bindings"]; Variables: HttpEnv["Variables"] & { ctx: Ctx } };

export type AuthzenServices = AuthServices & { rateLimit: RateLimit; holdBody: HoldBody };

export type AuthzenApp = Hono<AuthzenEnv>;

const REQUEST_ID = /^[\x21-\x7e]{1,256}$/;

/** Answers with the request's X-Request-ID, also where it is none of ours. */
export async function echoRequestId(c: Context<AuthzenEnv>, next: Next): Promise<void> {
  const id = readRequestId(c);
  if (id !== null) c.header("x-request-id", id);
  await next();
}

/** The request's X-Request-ID; null without a usable one. */
export function readRequestId(c: Context<AuthzenEnv>): string | null {
  const given = c.req.header("x-request-id");
  return given !== undefined && REQUEST_ID.test(given) ? given : null;
}

/** Authentication, rate limit and scope, then the size of the body. */
export function guardRequest({
  holdBody,
  rateLimit,
  ...services
}: AuthzenServices): [admit: MiddlewareHandler<AuthzenEnv>, limit: MiddlewareHandler<AuthzenEnv>] {
  return [
    admitCaller({
      rateLimit,
      identify: (c) => identify(services, c),
      check: (ctx) => requireScope(ctx, "gateway:check"),
    }),
    limitBody<AuthzenEnv>({
      maxBytes: LIMITS.requestBytes,
      holdBody,
      getHolder: (c) => getBodyHolder(c.get("ctx")),
      createError: createBodyError,
    }),
  ];
}

/** A request's JSON text, and what it says. */
export type RequestBody = { text: string; value: Record<string, unknown> };

/**
 * Reads the body.
 *
 * @throws {DomainError} unsupported_media_type; invalid_body.
 */
export async function readBody(c: Context<AuthzenEnv>): Promise<RequestBody> {
  if (isCompressed(c)) throw new DomainError("unsupported_media_type", "The body must not be compressed.");
  if (getMediaType(c) !== "application/json") {
    throw new DomainError("unsupported_media_type", "The Content-Type must be application/json.");
  }
  const text = decodeUtf8(await c.req.arrayBuffer());
  if (text === null) throw new DomainError("invalid_body", "The body must be UTF-8.");
  const value = parseJson(text, JSON_LIMITS);
  if (value === undefined) throw new DomainError("invalid_body", "The body is not valid JSON.");
  if (!isObject(value)) throw new DomainError("invalid_body", "The body must be a JSON object.");
  return { text, value };
}

const JSON_LIMITS = {
  maxDepth: LIMITS.requestDepth,
  maxContainers: LIMITS.requestValues,
  maxMembers: LIMITS.bodyMembers,
  maxValues: LIMITS.bodyValues,
  createError: createJsonError,
};

/** Answers with JSON that nobody may keep. */
export function answerJson(c: Context<AuthzenEnv>, answer: object, status: 200 | 201 | 202 = 200): Response {
  return c.body(JSON.stringify(answer), status, {
    "content-type": "application/json",
    "cache-control": "no-store",
  });
}
