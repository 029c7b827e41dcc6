import { sql } from "../../db/sql.ts";
import type { NewSession, Transaction } from "../../domain/kernel/context.ts";
import { append } from "../../domain/kernel/events.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { queueEmail } from "../../domain/emails/queue-email.ts";
import { lockUser } from "../../domain/users/lock-user.ts";
import type { Factor } from "../factors/factor-change.ts";
import { admitPassword } from "../oidc/admit-password.ts";
import { endSessions } from "./end-sessions.ts";
import { type SessionInput, insertSession } from "./insert-session.ts";

/** A first session of a browser. */
type FirstSession = Omit<SessionInput, "mfaAt"> & {
  /** Where to mail that a new device was used. */
  sentTo: string | null;
  /** The second factor that was used. */
  factor?: Factor;
};

/**
 * Begins a session of a person who has just proved who they are. Mails them if the browser is new, and ends the
 * oldest of too many sessions.
 *
 * @throws {DomainError} not_found for a deleted person; unauthenticated if the account was suspended or its password
 *   changed since the epoch was read, or if the workspace enforces sign-in by a provider and this is not one.
 */
export async function beginSession(
  tx: Transaction,
  { sentTo, factor, ...input }: FirstSession,
): Promise<NewSession> {
  const { ip, userAgent } = tx.ctx;
  const { userId, authEpoch, remembered, providerId } = input;
  // Concurrent log-ins of a person would otherwise not count each other's sessions.
  await lockUser(tx, userId);
  if (providerId === null) await admitPassword(tx, userId);
  const isNew = await isNewDevice(tx, userId);
  const session = await insertSession(tx, { ...input, mfaAt: factor === undefined ? null : await tx.now() });
  if (isNew && sentTo !== null) {
    await queueEmail(tx, { userId, kind: "new_device", sentTo, authEpoch, data: { ip, userAgent } });
  }
  // Otherwise a flood of log-ins would make a person's sessions too many to be ended at once.
  const which = { exceptNewest: LIMITS.sessionsPerPerson };
  append(tx, await endSessions(tx, userId, { which, reason: "too_many" }));
  const by = {
    ...(providerId !== null && { provider_id: providerId }),
    ...(factor !== undefined && { factor }),
  };
  const changes = { remembered, ...by };
  append(tx, {
    events: [
      { type: "session.created", subjectType: "session", subjectId: session.id, data: { user_id: userId } },
    ],
    audit: [{ action: "session.created", targetType: "session", targetId: session.id, changes }],
  });
  return { token: session.token, remembered };
}

/**
 * Whether a person who has logged in before uses this browser for the first time, according to the audit
 * log. If the log was deleted since the person was created, assumes that they have logged in before.
 */
async function isNewDevice({ run, ctx }: Transaction, userId: string): Promise<boolean> {
  // Each EXISTS stops at the first row: there may be thousands of log-ins.
  const [row] = await run(READ, [ctx.workspaceId, userId, ctx.userAgent]);
  return row?.isNew === true;
}

const LOG_INS = `SELECT 1 FROM audit_event
  WHERE workspace_id = $1::uuid AND actor ->> 'id' = $2 AND action = 'session.created'`;

/** A complete log starts before the workspace's users. */
const IS_OLDER = `COALESCE((
  SELECT f.seq > 1 AND u.created_at < f.created_at FROM "user" u,
    LATERAL (SELECT seq, created_at FROM audit_event WHERE workspace_id = $1::uuid ORDER BY seq LIMIT 1) f
  WHERE u.workspace_id = $1::uuid AND u.id = $2::text::uuid), false)`;

/** SQL that removes version numbers from a user agent, so that an updated browser is not a new one. */
function stripVersions(userAgent: string): string {
  return String.raw`regexp_replace(${userAgent}, '\d[\d._]*', '', 'g')`;
}

const READ = sql<{ isNew: boolean }>`
SELECT (EXISTS (${LOG_INS}) OR ${IS_OLDER}) AND NOT EXISTS (
  ${LOG_INS} AND ${stripVersions("user_agent")} IS NOT DISTINCT FROM ${stripVersions("$3")}) AS "isNew"`;
