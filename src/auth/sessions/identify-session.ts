import type { HttpBindings } from "@hono/node-server";
import type { HonoRequest } from "hono";
import { type Ctx, type NewSession, openCtx } from "../../domain/context.ts";
import { type HttpEnv, traceparent, userAgent } from "../../http/request.ts";
import { type AuthenticatedSession, authenticateSession } from "./authenticate-session.ts";
import { reissueSession } from "./reissue-session.ts";
import type { Seen } from "./seen.ts";
import { presentedSessions, sessionCookies } from "./session-cookies.ts";
import type { SessionServices } from "./session-services.ts";

/** What a door knows of a request that may carry a session, and where it sets the answer's cookies. */
export type Visit = {
  env: HttpBindings;
  req: HonoRequest;
  var: Pick<HttpEnv["Variables"], "requestId" | "log" | "ip">;
  header: (name: string, value: string, options: { append: true }) => void;
};

/**
 * Opens the context of a request from its session cookie; null where it has none that is valid. A
 * session that is older than seven days is reissued on the way.
 *
 * @throws {DomainError} workspace_suspended.
 */
export async function identifySession(services: SessionServices, c: Visit): Promise<Ctx | null> {
  const presented = presentedSessions(c.req.header("cookie"));
  if (presented.session.length + presented.rememberMe.length === 0) return null;
  const identifiedAtMs = performance.now();
  const found = await authenticateSession(services, presented, seenOf(c));
  if (found === null) return null;
  const ctx = ctxOf(services, c, { ...found, identifiedAtMs });
  const reissued = found.isReissueDue ? await reissueSession(ctx, services.sessions.maxDays) : null;
  if (reissued !== null) ctx.handSession(reissued);
  else if (found.isRestored) ctx.handSession({ token: found.token, remembered: true });
  return ctx;
}

/** What a request shows of whoever sends it. */
export function seenOf(c: Pick<Visit, "req" | "var">): Seen {
  return { ip: c.var.ip, userAgent: userAgent(c), requestId: c.var.requestId };
}

/** Makes the browser keep a session from now on. */
export function handSession(
  services: SessionServices,
  c: Pick<Visit, "req" | "header">,
  session: NewSession,
): void {
  const kept = { secure: services.sessions.secureCookies, header: c.req.header("cookie") };
  for (const cookie of sessionCookies(session, kept)) {
    c.header("set-cookie", cookie, { append: true });
  }
}

type Identified = AuthenticatedSession & { identifiedAtMs: number };

function ctxOf(services: SessionServices, c: Visit, { actor, known, identifiedAtMs }: Identified): Ctx {
  return openCtx(
    { ...services, log: c.var.log },
    {
      ...seenOf(c),
      actor,
      workspaceId: known.workspaceId,
      identifiedAtMs,
      traceparent: traceparent(c),
      idempotency: null,
      handSession: (session) => handSession(services, c, session),
    },
    services.now,
  );
}
