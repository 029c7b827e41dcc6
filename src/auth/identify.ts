import { type Ctx, openCtx } from "../domain/kernel/context.ts";
import { DomainError } from "../domain/kernel/errors.ts";
import { requireFactor } from "../domain/kernel/guard.ts";
import type { SameOrigin } from "../http/same-origin.ts";
import { hasTokenInQuery, readTraceparent } from "../http/request.ts";
import { type AuthServices, authenticate } from "./authenticate.ts";
import { type SessionRequest, identifySession, getClientInfo } from "./sessions/identify-session.ts";
import type { SessionServices } from "./sessions/session-services.ts";

/** The services of APIs that also accept sessions. */
export type VisitorServices = AuthServices & SessionServices & { isSameOrigin: SameOrigin };

/**
 * Creates the context of an HTTP request from its bearer.
 *
 * @throws {DomainError} unauthenticated without a credential; the reason for which a credential is
 *   rejected.
 */
export async function identify(services: AuthServices, c: SessionRequest): Promise<Ctx> {
  const ctx = await identifyBearer(services, c);
  if (ctx !== null) return ctx;
  throw new DomainError("unauthenticated", "Send an API key or an access token in the Authorization header.");
}

/**
 * Creates the context of an HTTP request from its bearer or, without one, from its session cookie. Session
 * requests that write must come from our own origin.
 *
 * @throws {DomainError} unauthenticated without a credential; the reason for which a credential is
 *   rejected; forbidden for an unsafe request from another origin; mfa_required.
 */
export async function identifyCaller(services: VisitorServices, c: SessionRequest): Promise<Ctx> {
  const ctx = (await identifyBearer(services, c)) ?? (await identifyVisitor(services, c));
  if (ctx !== null) {
    requireFactor(ctx);
    return ctx;
  }
  throw new DomainError(
    "unauthenticated",
    "Log in, or send an API key or an access token in the Authorization header.",
  );
}

/**
 * Creates the context of a person's request from the session cookie only. Returns null without a valid
 * session.
 *
 * @throws {DomainError} workspace_suspended; forbidden for an unsafe request from another origin.
 */
export async function identifyVisitor(services: VisitorServices, c: SessionRequest): Promise<Ctx | null> {
  if (services.isSameOrigin(c)) return identifySession(services, c);
  throw new DomainError("forbidden", "Requests from another site are not allowed.");
}

async function identifyBearer(services: AuthServices, c: SessionRequest): Promise<Ctx | null> {
  const seen = getClientInfo(c);
  const authentication = await authenticate(services, {
    authorization: c.req.header("authorization") ?? null,
    tokenInQuery: hasTokenInQuery(c),
    ...seen,
  });
  if (authentication.outcome === "refused") throw authentication.error;
  if (authentication.outcome === "anonymous") return null;
  const { actor, workspaceId, identifiedAtMs } = authentication;
  return openCtx(
    { ...services, log: c.var.log },
    {
      actor,
      workspaceId,
      identifiedAtMs,
      ...seen,
      traceparent: readTraceparent(c),
      idempotency: null,
      handSession: () => {},
    },
    services.now,
  );
}

const REALM = 'Bearer realm="agent-ops"';

/**
 * Builds the WWW-Authenticate header of an error, or null if it has none.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3
 */
export function buildChallenge({ code, details }: DomainError): string | null {
  switch (code) {
    case "unauthenticated":
      return REALM;
    case "invalid_request":
      return `${REALM}, error="invalid_request"`;
    case "invalid_token": {
      const why = details.description === undefined ? "" : `, error_description="${details.description}"`;
      return `${REALM}, error="invalid_token"${why}`;
    }
    case "api_key_required":
      return `${REALM}, error="insufficient_scope"`;
    case "insufficient_scope": {
      const scope = details.scope === undefined ? "" : `, scope="${details.scope}"`;
      return `${REALM}, error="insufficient_scope"${scope}`;
    }
    default:
      return null;
  }
}
