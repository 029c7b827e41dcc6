import { createHash } from "node:crypto";
import { type Hook, OpenAPIHono } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { type VisitorServices, identify, identifyCaller } from "../../../src/auth/identify.ts";
import { credentialId } from "../../../src/domain/kernel/actor.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { DomainError, createBodyError } from "../../../src/domain/kernel/errors.ts";
import {
  fieldErrors,
  createFieldsError,
  createValidationError,
} from "../../../src/domain/kernel/field-errors.ts";
import { requireApiKey, requireScope } from "../../../src/domain/kernel/guard.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import type { Scope } from "../../../src/domain/kernel/scopes.ts";
import type { HoldBody } from "../../../src/http/held-bodies.ts";
import { limitBody } from "../../../src/http/limit-body.ts";
import type { RateLimit } from "../../../src/http/rate-limit.ts";
import type { HttpEnv } from "../../../src/http/request.ts";
import { isCompressed, getMediaType, decodeUtf8 } from "../../../src/http/request-body.ts";

/** What a route of /api/v1 finds in its context: the caller's. */
export type RestEnv = {
  Bindings: HttpEnv["Bindings"];
  Variables: HttpEnv["Variables"] & {
    ctx: Ctx;
  };
};

/** What the routes of /api/v1 work with. */
export type RestServices = VisitorServices & {
  rateLimit: RateLimit;
  holdBody: HoldBody;
  /** Names this build of the service: another one may answer the same rows differently. */
  build: string;
};

/** One resource's routes. */
export type RestApp = OpenAPIHono<RestEnv>;

/** Makes an app whose refused inputs are thrown as DomainErrors. */
export function createRestApp(): RestApp {
  return new OpenAPIHono<RestEnv>({ defaultHook: refuseInput });
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** How a route is guarded, before anything of its input is looked at. */
export type Guard = {
  scope?: Scope;
  /** Whether the route honours Idempotency-Key. */
  idempotent?: boolean;
  /** Whether a person may come by the session cookie too. */
  session?: boolean;
  /** Whether only an API key may use the route. */
  apiKeyOnly?: boolean;
  /** Whether a body may also be a form. */
  form?: boolean;
};

/** The middleware of a route without a body: who asks, and whether he may. */
export function guardRoute(services: RestServices, guard: Guard = {}): MiddlewareHandler<RestEnv>[] {
  return [openContext(services, guard)];
}

/** The middlewares of a route with a body: the same, and that the body is JSON of a bearable size. */
export function guardRouteWithBody(services: RestServices, guard: Guard = {}): MiddlewareHandler<RestEnv>[] {
  const { bodyBytes: maxBytes } = LIMITS;
  const limit = limitBody<RestEnv>({
    maxBytes,
    holdBody: services.holdBody,
    getHolder: (c) => c.get("ctx").workspaceId,
    refuse: (why) => {
      throw createBodyError(why, maxBytes);
    },
  });
  return [openContext(services, guard), limit, requireJson(guard), honourIdempotencyKey(guard)];
}

function openContext(services: RestServices, guard: Guard): MiddlewareHandler<RestEnv> {
  const { scope, apiKeyOnly, session } = guard;
  const identifyBy = session === true ? identifyCaller : identify;
  return async (c, next) => {
    const ctx = await identifyBy(services, c);
    const { allowed, headers } = await services.rateLimit(credentialId(ctx.actor) ?? "");
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    if (!allowed) throw new DomainError("rate_limited", "Too many requests in this second.");
    if (apiKeyOnly === true) requireApiKey(ctx);
    if (scope !== undefined) requireScope(ctx, scope);
    ctx.signal = c.req.raw.signal;
    c.set("ctx", ctx);
    await next();
  };
}

function requireJson({ form }: Guard): MiddlewareHandler<RestEnv> {
  return async (c, next) => {
    if (["GET", "HEAD", "DELETE"].includes(c.req.method)) return next();
    const bytes = await c.req.arrayBuffer();
    if (bytes.byteLength === 0) {
      // No body says the same as an empty object, whatever the Content-Type claims.
      cacheBodyAs(c, JSON_TYPE, "{}");
      return next();
    }
    if (isCompressed(c)) {
      throw new DomainError("unsupported_media_type", "A body must not be compressed.");
    }
    const type = getMediaType(c);
    const isForm = form === true && type === FORM_TYPE;
    if (!isForm && type !== JSON_TYPE) {
      throw new DomainError("unsupported_media_type", "A body must be application/json.");
    }
    const body = decodeUtf8(bytes);
    if (body === null) throw new DomainError("invalid_body", "The body must be UTF-8.");
    refuseTokenIn(
      isForm ? new URLSearchParams(body).has(TOKEN_MEMBER) : Object.hasOwn(jsonObject(body), TOKEN_MEMBER),
    );
    cacheBodyAs(c, isForm ? FORM_TYPE : JSON_TYPE, body);
    return next();
  };
}

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** Under this name RFC 6750, 2.2 sends a bearer in a body, beside the one in the header. */
const TOKEN_MEMBER = "access_token";

function refuseTokenIn(isThere: boolean): void {
  if (isThere) throw new DomainError("invalid_request", "A token must not stand in the body.");
}

/** Lets the validators, which know fewer spellings of a Content-Type than RFC 9110, read the body as this type. */
function cacheBodyAs(c: Context<RestEnv>, type: string, body: string): void {
  // Hono keeps promises here, whatever the cache's type says.
  Object.assign(c.req.bodyCache, { text: Promise.resolve(body) });
  c.req.raw.headers.set("content-type", type);
}

function honourIdempotencyKey({ idempotent }: Guard): MiddlewareHandler<RestEnv> {
  return async (c, next) => {
    const key = c.req.header("idempotency-key");
    if (idempotent !== true || key === undefined) return next();
    if (!IDEMPOTENCY_KEY.test(key)) {
      throw new DomainError(
        "invalid_parameter",
        `Idempotency-Key must be 1 to ${LIMITS.idempotencyKeyLength} visible ASCII characters.`,
        { field: "Idempotency-Key" },
      );
    }
    const request = `${c.req.method} ${c.req.path}\n${await c.req.text()}`;
    const requestHash = new Uint8Array(createHash("sha256").update(request).digest());
    c.get("ctx").idempotency = { key, requestHash };
    return next();
  };
}

function jsonObject(body: string): object {
  const value = parseJson(body);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new DomainError("invalid_body", "The body must be one JSON object.");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An id that is no UUID is nobody's; a query is refused with 400, a body with 422. */
function refuseInput(result: Parameters<Hook<unknown, RestEnv, string, unknown>>[0]): void {
  if (result.success) return;
  if (result.target === "param") throw new DomainError("not_found", "There is no such thing.");
  const errors = fieldErrors(result.error);
  const inBody = result.target === "json" || result.target === "form";
  throw inBody ? createValidationError(errors) : createFieldsError("invalid_parameter", errors);
}

/** The context that {@link guardRoute} has opened. */
export function getCtx(c: Context<RestEnv>): Ctx {
  return c.get("ctx");
}
