import { NOW, sql } from "../../db/sql.ts";
import { type Caller, openCtx } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { lockUser } from "../../domain/users/lock-user.ts";
import { endSessions } from "./end-sessions.ts";
import { type FoundSession, type SessionLookUp, findSession } from "./find-session.ts";
import type { ClientInfo } from "./client-info.ts";
import type { SessionTokens } from "./session-cookies.ts";
import type { SessionServices } from "./session-services.ts";

/** The session of a request, and whether the browser needs its session cookie again. */
export type AuthenticatedSession = FoundSession & { token: string; isRestored: boolean };

/**
 * Finds the session of a request's cookies: the session cookie's, otherwise the remember-me cookie's. If
 * there are several session cookies, exactly one must be valid.
 *
 * A session that was replaced long ago can only be a stolen copy: if the request has no valid session, its
 * whole family is revoked.
 *
 * @returns null without a valid session.
 * @throws {DomainError} workspace_suspended.
 */
export async function authenticateSession(
  services: SessionServices,
  { session, rememberMe }: SessionTokens,
  seen: ClientInfo,
): Promise<AuthenticatedSession | null> {
  const superseded: SupersededSession[] = [];
  const own = await findAll(services, session, superseded);
  const [found, ...others] = own.length > 0 ? own : await findRemembered(services, rememberMe, superseded);
  if (found !== undefined) return others.length === 0 ? admit(services, found, seen) : null;
  for (const lookUp of superseded) await endStolenFamily(services, lookUp, seen);
  return null;
}

type SupersededSession = Extract<SessionLookUp, { state: "superseded" }>;

/** How many cookies of one name are looked up. */
const COOKIES = 16;

/** Returns the valid sessions among the tokens, and adds the replaced ones to `superseded`. */
async function findAll(
  services: SessionServices,
  tokens: readonly string[],
  superseded: SupersededSession[],
): Promise<AuthenticatedSession[]> {
  const found: AuthenticatedSession[] = [];
  for (const token of tokens.slice(0, COOKIES)) {
    const lookUp = await findSession(services, token);
    if (lookUp.state === "valid") found.push({ ...lookUp.found, token, isRestored: false });
    if (lookUp.state === "superseded") superseded.push(lookUp);
  }
  return found;
}

/** Ignores a session without remember-me, even if its token is in that cookie. */
async function findRemembered(
  services: SessionServices,
  tokens: readonly string[],
  superseded: SupersededSession[],
): Promise<AuthenticatedSession[]> {
  const found = await findAll(services, tokens, superseded);
  return found.filter(({ known }) => known.remembered).map((one) => ({ ...one, isRestored: true }));
}

async function admit(
  services: SessionServices,
  found: AuthenticatedSession,
  seen: ClientInfo,
): Promise<AuthenticatedSession> {
  if (found.workspaceSuspended) {
    throw new DomainError("workspace_suspended", "The workspace is suspended.");
  }
  if (found.known.isUnused || found.known.isUnnoted) await noteSeen(services, found, seen);
  return found;
}

/** The first use of a session ends its predecessor. Locks the person before the session, as everywhere. */
async function noteSeen(
  { database, now }: SessionServices,
  { known, actor }: FoundSession,
  { ip }: ClientInfo,
): Promise<void> {
  await database.run(NOTE, [known.workspaceId, known.id, ip, actor.id, now]);
}

const NOTE = sql`
WITH seen AS (
  UPDATE "user" SET last_seen_at = ${NOW} WHERE workspace_id = $1::uuid AND id = $4::uuid
  RETURNING id
)
UPDATE users_tokens t SET first_used_at = COALESCE(first_used_at, ${NOW}),
  last_seen_at = ${NOW}, ip = $3
FROM seen WHERE t.workspace_id = $1::uuid AND t.id = $2::uuid AND t.user_id = seen.id`;

async function endStolenFamily(
  services: SessionServices,
  lookUp: SessionLookUp,
  seen: ClientInfo,
): Promise<void> {
  if (lookUp.state !== "superseded") return;
  const { userId, known } = lookUp;
  const { workspaceId, familyId, id } = known;
  const caller: Caller = {
    ...seen,
    actor: { type: "system", name: "session guard" },
    workspaceId,
    traceparent: null,
    idempotency: null,
    handSession: () => {},
  };
  const ctx = openCtx(services, caller, services.now);
  await ctx.transaction(async (tx) => {
    await lockUser(tx, userId);
    const ended = await endSessions(tx, userId, { which: { familyId }, reason: "reuse_detected" });
    const target = { targetType: "session", targetId: id };
    append(tx, {
      ...ended,
      audit: [{ action: "session.reuse_detected", ...target, changes: { user_id: userId } }, ...ended.audit],
    });
  }, "urgent");
}
