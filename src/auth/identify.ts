import type { HttpBindings } from "@hono/node-server";
import type { HonoRequest } from "hono";
import type { Logger } from "pino";
import { type Ctx, openCtx } from "../domain/context.ts";
import { DomainError } from "../domain/errors.ts";
import { hasTokenInQuery, peerAddress, traceparent, userAgent } from "../http/request.ts";
import { type AuthServices, authenticate } from "./authenticate.ts";

/** What an HTTP door knows of a request. */
type Incoming = { env: HttpBindings; req: HonoRequest; var: { requestId: string; log: Logger } };

/**
 * Opens the context of an HTTP request from its bearer.
 *
 * @throws {DomainError} unauthenticated without a credential; what the credential is refused for.
 */
export async function identify(services: AuthServices, c: Incoming): Promise<Ctx> {
  const ip = peerAddress(c);
  const authentication = await authenticate(services, {
    authorization: c.req.header("authorization") ?? null,
    tokenInQuery: hasTokenInQuery(c),
    ip,
  });
  if (authentication.outcome === "refused") throw authentication.error;
  if (authentication.outcome === "anonymous") {
    throw new DomainError("unauthenticated", "This needs an API key or an access token as a bearer.");
  }
  const { actor, workspaceId } = authentication;
  const { requestId, log } = c.var;
  return openCtx(
    { ...services, log },
    {
      actor,
      workspaceId,
      requestId,
      ip,
      userAgent: userAgent(c),
      traceparent: traceparent(c),
      idempotency: null,
    },
    services.now,
  );
}

const REALM = 'Bearer realm="agent-ops"';

/**
 * The WWW-Authenticate header of a refusal, or null where it has none.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3
 */
export function challengeOf({ code, details }: DomainError): string | null {
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
