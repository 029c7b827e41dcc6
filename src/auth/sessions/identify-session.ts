import type { HttpBindings } from "@hono/node-server";
import type { HonoRequest } from "hono";
import { type Ctx, type NewSession, openCtx } from "../../domain/kernel/context.ts";
import { type HttpEnv, readTraceparent, readUserAgent } from "../../http/request.ts";
import { type AuthenticatedSession, authenticateSession } from "./authenticate-session.ts";
import { reissueSession } from "./reissue-session.ts";
import type { ClientInfo } from "./client-info.ts";
import { readSessionTokens, createSessionCookies } from "./session-cookies.ts";
import type { SessionServices } from "./session-services.ts";

/** The parts of a request and its answer that sessions use. */
export type SessionRequest = {
  env: HttpBindings;
  req: HonoRequest;
  var: Pick<HttpEnv["Variables"], "requestId" | "log" | "ip">;
  header: (name: string, value: string, options: { append: true }) => void;
};

/**
 * Creates the context of a request from its session cookie. Returns null without a valid session. Reissues
 * a session that is older than seven days.
 *
 * @throws {DomainError} workspace_suspended.
 */
export async function identifySession(services: SessionServices, c: SessionRequest): Promise<Ctx | null> {
  const presented = readSessionTokens(c.req.header("cookie"));
  if (presented.session.length + presented.rememberMe.length === 0) return null;
  const identifiedAtMs = performance.now();
  const found = await authenticateSession(services, presented, getClientInfo(c));
  if (found === null) return null;
  const ctx = createCtx(services, c, { ...found, identifiedAtMs });
  const reissued = found.isReissueDue ? await reissueSession(ctx, services.sessions.maxDays) : null;
  if (reissued !== null) ctx.handSession(reissued);
  else if (found.isRestored) ctx.handSession({ token: found.token, remembered: true });
  return ctx;
}

/** Reads the client's information from a request. */
export function getClientInfo(c: Pick<SessionRequest, "req" | "var">): ClientInfo {
  return { ip: c.var.ip, userAgent: readUserAgent(c), requestId: c.var.requestId };
}

/** Sets the session cookies in the answer. */
export function setSessionCookies(
  services: SessionServices,
  c: Pick<SessionRequest, "req" | "header">,
  session: NewSession,
): void {
  const kept = { secure: services.sessions.secureCookies, header: c.req.header("cookie") };
  for (const cookie of createSessionCookies(session, kept)) {
    c.header("set-cookie", cookie, { append: true });
  }
}

type Identified = AuthenticatedSession & { identifiedAtMs: number };

function createCtx(
  services: SessionServices,
  c: SessionRequest,
  { actor, known, identifiedAtMs }: Identified,
): Ctx {
  return openCtx(
    { ...services, log: c.var.log },
    {
      ...getClientInfo(c),
      actor,
      workspaceId: known.workspaceId,
      identifiedAtMs,
      traceparent: readTraceparent(c),
      idempotency: null,
      handSession: (session) => setSessionCookies(services, c, session),
    },
    services.now,
  );
}
