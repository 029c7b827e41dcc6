import { buildRemainingMsSql } from "../../domain/credentials/validity-sql.ts";
import type { Database } from "../../db/client.ts";
import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { hashSecret } from "../credentials.ts";
import type { LuciaSession, SessionAdapter } from "../vendor/lucia.ts";
import type { KnownSession, NewSessionRow, SessionUser } from "./session-rows.ts";

/** Seconds for which a superseded session is still accepted, for requests that are under way. */
export const GRACE_SECONDS = 60;

type Row = KnownSession & SessionUser & { userId: string };

const FIND = sql<Row>`
SELECT t.id, t.workspace_id AS "workspaceId", t.user_id AS "userId", t.family_id AS "familyId", t.remembered,
  t.auth_epoch AS "authEpoch",
  ${buildRemainingMsSql("t.expires_at")} AS "remainingMs",
  t.authenticated_at > ${NOW} - interval '${LIMITS.sudoSeconds} seconds' AS "isSudo",
  t.provider_id IS NULL AND t.mfa_at IS NULL AND ($3 OR w.require_mfa) AS "needsFactor",
  t.first_used_at IS NULL AS "isUnused",
  COALESCE(s.first_used_at IS NOT NULL OR s.created_at > ${NOW} - interval '${GRACE_SECONDS} seconds', false) AS "isReplaced",
  COALESCE(s.first_used_at <= ${NOW} - interval '${GRACE_SECONDS} seconds', false) AS "isSuperseded",
  t.expires_at < t.authenticated_at + make_interval(days => $2::int) AS "canGain",
  t.last_seen_at IS NULL OR t.last_seen_at <= ${NOW} - interval '1 minute' AS "isUnnoted",
  COALESCE(u.name, u.email, u.user_name, '') AS name, u.role::text, w.suspended_at IS NOT NULL AS "workspaceSuspended"
FROM users_tokens t
JOIN "user" u ON u.workspace_id = t.workspace_id AND u.id = t.user_id
JOIN workspace w ON w.id = t.workspace_id
LEFT JOIN users_tokens s ON s.workspace_id = t.workspace_id AND s.id = t.successor_id
WHERE t.context = 'session' AND t.token_digest = $1 AND t.auth_epoch = u.auth_epoch
  AND u.suspended_at IS NULL AND u.deleted_at IS NULL`;

/**
 * Reads sessions for Lucia, by the SHA-256 of their tokens. PostgreSQL's clock applies: the expiry is
 * converted so that it is as far from this machine's time as from PostgreSQL's.
 */
export function createSessionReader(
  { run }: Pick<Database, "run">,
  { now, maxDays, requireMfa }: { now: Date | null; maxDays: number; requireMfa: boolean },
): SessionAdapter {
  return {
    ...UNUSED_METHODS,
    getSessionAndUser: async (token) => {
      const [row] = await run(FIND, [hashSecret(token), maxDays, requireMfa, now]);
      if (row === undefined) return [null, null];
      const { userId, name, role, workspaceSuspended, ...known } = row;
      const expiresAt = new Date(Date.now() + known.remainingMs);
      // Lucia uses this id as the cookie's value, so it must be the token.
      return [
        { id: token, userId, expiresAt, attributes: known },
        { id: userId, attributes: { name, role, workspaceSuspended } },
      ];
    },
  };
}

/**
 * Writes a session for Lucia in a transaction. Requires that the person may log in and that the epoch has
 * not changed since the password was checked, such as by a reset.
 *
 * @param maxDays days after the password was entered at which every session expires.
 */
export function createSessionWriter(tx: Transaction, maxDays: number): SessionAdapter {
  return { ...UNUSED_METHODS, setSession: (session) => insertSession(tx, session, maxDays) };
}

async function insertSession(
  { run, ctx }: Transaction,
  session: LuciaSession,
  maxDays: number,
): Promise<void> {
  // createSession passes the attributes of a new session.
  const row = session.attributes as NewSessionRow;
  const inserted = await run(INSERT, [
    ctx.workspaceId,
    session.userId,
    row.authEpoch,
    row.authenticatedAt,
    row.id,
    hashSecret(session.id),
    row.familyId,
    row.remembered,
    ctx.ip,
    ctx.userAgent,
    maxDays,
    row.providerId,
    row.mfaAt,
    row.providerSession?.sid ?? null,
    row.providerSession?.sealedIdToken ?? null,
  ]);
  if (inserted.length === 0)
    throw new DomainError("unauthenticated", "The password or the account has changed. Log in again.");
}

/**
 * Adapter methods that we don't use: sessions are reissued instead of extended, and ended by family in our
 * own use cases.
 */
const UNUSED_METHODS: SessionAdapter = {
  getSessionAndUser: async () => [null, null],
  getUserSessions: async () => [],
  setSession: async () => {},
  updateSessionExpiration: async () => {},
  deleteSession: async () => {},
  deleteUserSessions: async () => {},
  deleteExpiredSessions: async () => {},
};

const INSERT = sql<{ id: string }>`
WITH person AS (
  SELECT id, auth_epoch FROM "user" WHERE workspace_id = $1::uuid AND id = $2::uuid AND auth_epoch = $3
    AND suspended_at IS NULL AND deleted_at IS NULL FOR SHARE
), times AS (
  SELECT ${NOW} AS at,
    COALESCE($4::timestamptz, ${NOW}) AS authenticated_at
)
INSERT INTO users_tokens (workspace_id, id, user_id, context, token_digest, auth_epoch, family_id, remembered,
  authenticated_at, provider_id, mfa_at, provider_sid, sealed_id_token, ip, user_agent, created_at, expires_at)
SELECT $1::uuid, $5::uuid, person.id, 'session', $6, person.auth_epoch, $7::uuid, $8, times.authenticated_at, $12::uuid, $13::timestamptz,
  $14, $15::bytea, $9, $10,
  times.at, LEAST(times.at + interval '${LIMITS.sessionDays} days', times.authenticated_at + make_interval(days => $11::int))
FROM person, times RETURNING id`;
