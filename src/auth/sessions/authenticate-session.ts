import { type Caller, openCtx } from "../../domain/context.ts";
import { DomainError } from "../../domain/errors.ts";
import { append } from "../../domain/events.ts";
import { lockUser } from "../../domain/users/lock-user.ts";
import { endSessions } from "./end-sessions.ts";
import { type FoundSession, type SessionLookUp, findSession } from "./find-session.ts";
import type { Seen } from "./seen.ts";
import type { PresentedSessions } from "./session-cookies.ts";
import type { SessionServices } from "./session-services.ts";

/** The session of a request, and whether the browser has to be given its session cookie again. */
export type AuthenticatedSession = FoundSession & { token: string; isRestored: boolean };

/**
 * Finds the session of a request's cookies: that of the session cookie, else that of the remember-me
 * cookie. Of several session cookies exactly one must be valid.
 *
 * A session that was replaced long ago can only be a copy in other hands: where nothing else of the
 * request is valid, its whole family ends.
 *
 * @returns null for nobody.
 * @throws {DomainError} workspace_suspended.
 */
export async function authenticateSession(
  services: SessionServices,
  { session, rememberMe }: PresentedSessions,
  seen: Seen,
): Promise<AuthenticatedSession | null> {
  const spent: SessionLookUp[] = [];
  for (const [tokens, isRestored] of [
    [session, false],
    [rememberMe.filter((token) => !session.includes(token)), true],
  ] as const) {
    const found: AuthenticatedSession[] = [];
    for (const token of tokens.slice(0, COOKIES)) {
      const lookUp = await findSession(services, token);
      if (lookUp.state === "alive") found.push({ ...lookUp.found, token, isRestored });
      if (lookUp.state === "spent") spent.push(lookUp);
    }
    const [only, ...others] = found;
    if (only !== undefined && others.length === 0) return admitted(services, only, seen);
    if (only !== undefined) return null;
  }
  for (const lookUp of spent) await endStolenFamily(services, lookUp, seen);
  return null;
}

/** Cookies of one name that are looked up. */
const COOKIES = 4;

async function admitted(
  services: SessionServices,
  found: AuthenticatedSession,
  seen: Seen,
): Promise<AuthenticatedSession> {
  if (found.workspaceSuspended) {
    throw new DomainError("workspace_suspended", "The workspace is suspended.");
  }
  if (found.known.isUnused || found.known.isUnnoted) await noteSeen(services, found, seen);
  return found;
}

/** The first use of a session is what ends the one that it took the place of. */
async function noteSeen(
  { database, now }: SessionServices,
  { known, actor }: FoundSession,
  { ip }: Seen,
): Promise<void> {
  await database.read(NOTE, [known.workspaceId, known.id, now, ip, actor.id]);
}

const NOTE = {
  name: "note_session",
  text: `
WITH seen AS (
  UPDATE "user" SET last_seen_at = COALESCE($3::timestamptz, now()) WHERE workspace_id = $1::uuid AND id = $5::uuid
)
UPDATE users_tokens SET first_used_at = COALESCE(first_used_at, $3::timestamptz, now()),
  last_seen_at = COALESCE($3::timestamptz, now()), ip = $4
WHERE workspace_id = $1::uuid AND id = $2::uuid`,
};

async function endStolenFamily(services: SessionServices, lookUp: SessionLookUp, seen: Seen): Promise<void> {
  if (lookUp.state !== "spent") return;
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
    await append(tx, {
      ...ended,
      audit: [{ action: "session.reuse_detected", ...target, changes: { user_id: userId } }, ...ended.audit],
    });
  });
}
