import { createHash } from "node:crypto";
import { type Hook, OpenAPIHono } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { admitCaller } from "../../../src/auth/admit-caller.ts";
import { type VisitorServices, identify, identifyCaller } from "../../../src/auth/identify.ts";
import { getBodyHolder } from "../../../src/domain/kernel/actor.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { DomainError, createBodyError, createJsonError } from "../../../src/domain/kernel/errors.ts";
import {
  fieldErrors,
  createFieldsError,
  createValidationError,
} from "../../../src/domain/kernel/field-errors.ts";
import { requireApiKey, requireScope } from "../../../src/domain/kernel/guard.ts";
import { requireIdempotencyKey } from "../../../src/domain/kernel/idempotency-key.ts";
import { isObject } from "../../../src/domain/kernel/is-object.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import type { Scope } from "../../../src/domain/kernel/scopes.ts";
import type { HoldBody } from "../../../src/http/held-bodies.ts";
import { limitBody } from "../../../src/http/limit-body.ts";
import { parseJson } from "../../../src/http/parse-json.ts";
import type { RateLimit } from "../../../src/http/rate-limit.ts";
import type { HttpEnv } from "../../../src/http/request.ts";
import { isCompressed, getMediaType, decodeUtf8 } from "../../../src/http/request-body.ts";

/** Hono environment of the /api/v1 routes. */
export type RestEnv = {
  Bindings: HttpEnv["Bindings"];
  Variables: HttpEnv["Variables"] & {
    ctx: Ctx;
  };
};

export type RestServices = VisitorServices & {
  rateLimit: RateLimit;
  holdBody: HoldBody;
  /** The id of this build. Part of ETags, as another build may respond differently for the same rows. */
  build: string;
};

export type RestApp = OpenAPIHono<RestEnv>;

/** Creates an app that throws invalid input as `DomainError`. */
export function createRestApp(): RestApp {
  return new OpenAPIHono<RestEnv>({ defaultHook: refuseInput });
}

/** What to check before any input is read. */
export type Guard = {
  scope?: Scope;
  /** Whether the route accepts Idempotency-Key. */
  idempotent?: boolean;
  /** Whether a user's session cookie is also accepted. */
  session?: boolean;
  /** Whether the route requires an API key. */
  apiKeyOnly?: boolean;
  /** Whether a form body is also accepted. */
  form?: boolean;
};

/** Middleware for a route without a body: authentication, rate limit and scope. */
export function guardRoute(services: RestServices, guard: Guard = {}): MiddlewareHandler<RestEnv>[] {
  return [openContext(services, guard)];
}

/** Middleware for a route with a body: as {@link guardRoute}, and requires JSON of limited size. */
export function guardRouteWithBody(services: RestServices, guard: Guard = {}): MiddlewareHandler<RestEnv>[] {
  const { bodyBytes: maxBytes } = LIMITS;
  const limit = limitBody<RestEnv>({
    maxBytes,
    holdBody: services.holdBody,
    getHolder: (c) => getBodyHolder(c.get("ctx")),
    createError: createBodyError,
  });
  return [openContext(services, guard), limit, requireJson(guard), honourIdempotencyKey(guard)];
}

function openContext(services: RestServices, guard: Guard): MiddlewareHandler<RestEnv> {
  const { scope, apiKeyOnly, session } = guard;
  const identifyBy = session === true ? identifyCaller : identify;
  return admitCaller({
    rateLimit: services.rateLimit,
    identify: (c) => identifyBy(services, c),
    check: (ctx) => {
      if (apiKeyOnly === true) requireApiKey(ctx);
      if (scope !== undefined) requireScope(ctx, scope);
    },
  });
}

function requireJson({ form }: Guard): MiddlewareHandler<RestEnv> {
  return async (c, next) => {
    if (["GET", "HEAD", "DELETE"].includes(c.req.method)) return next();
    const bytes = await c.req.arrayBuffer();
    if (bytes.byteLength === 0) {
      // An empty body counts as an empty object, whatever its Content-Type.
      cacheBodyAs(c, JSON_TYPE, "{}");
      return next();
    }
    if (isCompressed(c)) {
      throw new DomainError("unsupported_media_type", "The body must not be compressed.");
    }
    const type = getMediaType(c);
    const isForm = form === true && type === FORM_TYPE;
    if (!isForm && type !== JSON_TYPE) {
      throw new DomainError("unsupported_media_type", "The body must be application/json.");
    }
    const body = decodeUtf8(bytes);
    if (body === null) throw new DomainError("invalid_body", "The body must be UTF-8.");
    cacheBodyAs(c, isForm ? FORM_TYPE : JSON_TYPE, body);
    if (isForm) refuseTokenIn(new URLSearchParams(body).has(TOKEN_MEMBER));
    else readJson(c, body);
    return next();
  };
}

/** Parses the body once, also for Hono's validators. */
function readJson(c: Context<RestEnv>, body: string): void {
  const value = parseJson(body, JSON_LIMITS);
  if (!isObject(value)) throw new DomainError("invalid_body", "The body must be a JSON object.");
  refuseTokenIn(Object.hasOwn(value, TOKEN_MEMBER));
  Object.assign(c.req, { json: () => Promise.resolve(value) });
}

const JSON_LIMITS = {
  maxDepth: LIMITS.bodyDepth,
  maxContainers: LIMITS.bodyContainers,
  maxMembers: LIMITS.bodyMembers,
  maxValues: LIMITS.bodyValues,
  createError: createJsonError,
};

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** RFC 6750, 2.2 allows a bearer in the body under this name. We accept it only in the header. */
const TOKEN_MEMBER = "access_token";

function refuseTokenIn(isThere: boolean): void {
  if (isThere)
    throw new DomainError("invalid_request", "Send the token in the Authorization header, not in the body.");
}

/** Makes Hono's validators, which accept fewer spellings of a Content-Type than RFC 9110, read this body as `type`. */
function cacheBodyAs(c: Context<RestEnv>, type: string, body: string): void {
  // Hono stores promises here, although the cache's type says otherwise.
  Object.assign(c.req.bodyCache, { text: Promise.resolve(body) });
  c.req.raw.headers.set("content-type", type);
}

function honourIdempotencyKey({ idempotent }: Guard): MiddlewareHandler<RestEnv> {
  return async (c, next) => {
    const given = c.req.header("idempotency-key");
    if (idempotent !== true || given === undefined) return next();
    const key = requireIdempotencyKey(given);
    const request = `${c.req.method} ${c.req.path}\n${await c.req.text()}`;
    const requestHash = new Uint8Array(createHash("sha256").update(request).digest());
    c.get("ctx").idempotency = { key, requestHash };
    return next();
  };
}

/** A malformed id is not found; an invalid query gives 400, an invalid body 422. */
function refuseInput(result: Parameters<Hook<unknown, RestEnv, string, unknown>>[0]): void {
  if (result.success) return;
  if (result.target === "param") {
    throw new DomainError("not_found", "There is nothing at this path, which has a malformed id.");
  }
  const errors = fieldErrors(result.error);
  const inBody = result.target === "json" || result.target === "form";
  throw inBody ? createValidationError(errors) : createFieldsError("invalid_parameter", errors);
}

/** The context set by {@link guardRoute}. */
export function getCtx(c: Context<RestEnv>): Ctx {
  return c.get("ctx");
}
