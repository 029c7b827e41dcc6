import { buildStatement, sql } from "../../db/sql.ts";
import type { Services } from "../kernel/services.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type BatchResult, type Cleanup, cleanUpWorkspaces } from "./clean-up.ts";

/** The most rows per statement, so that nobody waits long. */
const BATCH = 5000;

/** Rows of a table are deleted when a time in them is at least this long ago; `since` has an index. */
type Expiry = { table: string; since: string; age: string; unless?: string };

const EXPIRIES: readonly Expiry[] = [
  { table: "idempotency_key", since: "created_at", age: `${LIMITS.idempotencyHours} hours` },
  { table: "socket_token", since: "expires_at", age: "1 day" },
  {
    table: "agent_token",
    since: "LEAST(expires_at, revoked_at)",
    age: "30 days",
    unless: `EXISTS (SELECT 1 FROM socket_token s
      WHERE s.workspace_id = agent_token.workspace_id AND s.agent_token_id = agent_token.id)`,
  },
  // Tokens are accepted for a minute after they expire, by clocks that may differ.
  { table: "used_assertion", since: "expires_at", age: "5 minutes" },
  { table: "used_logout_token", since: "expires_at", age: "5 minutes" },
  { table: "revocation", since: "created_at", age: "1 day" },
  { table: "users_tokens", since: "expires_at", age: "0 days" },
  { table: "unsubscribe_link", since: "expires_at", age: "0 days" },
  { table: "sign_in_attempt", since: "expires_at", age: "0 days" },
  { table: "pending_log_in", since: "expires_at", age: "0 days" },
  { table: "passkey_challenge", since: "expires_at", age: "0 days" },
  { table: "reset_request", since: "created_at", age: "1 hour" },
  { table: "mail_outbox", since: "created_at", age: "1 day" },
  { table: "throttle", since: "touched_at", age: "1 hour" },
  { table: "robot_sample", since: "at", age: `${LIMITS.robotSampleDays} days` },
];

/**
 * Cleanups of what is not needed any more: events beyond their workspace's retention (advancing the oldest
 * cursor that can be resumed), used Idempotency-Keys, expired socket tokens, agent tokens that became
 * invalid 30 days ago, issuers' tokens that were exchanged or logged somebody out and have expired, revocations that all nodes have long
 * applied, expired sessions and links, sign-ins and log-ins that were not finished, emails
 * that are not retried any more, throttles without a recent attempt, and robot samples older than 7 days.
 */
export function createExpiredRowCleanups(services: Services): Cleanup[] {
  const events = cleanUpWorkspaces(services, null, {
    name: "event",
    actor: "retention",
    due: EVENTS_DUE,
    batch: (ctx) =>
      ctx.transaction(async (tx) => {
        const [row] = await tx.run(DELETE_EVENTS, [ctx.workspaceId]);
        return toResult(row?.count ?? 0);
      }),
  });
  return [events, ...EXPIRIES.map((expiry) => createExpiryCleanup(services, expiry))];
}

function createExpiryCleanup({ database }: Services, { table, since, age, unless }: Expiry): Cleanup {
  const statement = buildStatement(
    `expired_${table}`,
    `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM ${table} WHERE ${since} <= now() - interval '${age}' ${unless === undefined ? "" : `AND NOT ${unless}`}
       ORDER BY ${since} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
  );
  async function deleteBatch(): Promise<BatchResult> {
    // In a transaction, which has a longer time limit.
    return database.transaction(async ({ run }) => {
      const { length } = await run(statement, []);
      return { result: toResult(length), last: [] };
    });
  }
  return { name: table, find: () => Promise.resolve([{ workspaceId: null, run: deleteBatch }]) };
}

function toResult(deleted: number): BatchResult {
  return { deleted, hasMore: deleted === BATCH };
}

/** Selects the workspaces whose first event is beyond retention. */
const EVENTS_DUE = sql<{ id: string }>`
SELECT w.id FROM workspace w
CROSS JOIN LATERAL (SELECT e.occurred_at FROM event e WHERE e.workspace_id = w.id ORDER BY e.seq LIMIT 1) f
WHERE f.occurred_at <= now() - make_interval(days => w.event_retention_days)`;

/** Deletes the first events in order, up to one that is kept, so that no gap arises. */
const DELETE_EVENTS = sql<{ count: number }>`
WITH first AS MATERIALIZED (
  SELECT e.seq, e.occurred_at <= (
    SELECT now() - make_interval(days => event_retention_days) FROM workspace WHERE id = $1::uuid
  ) AS is_old
  FROM event e WHERE e.workspace_id = $1::uuid ORDER BY e.seq LIMIT ${BATCH}
), gone AS (
  DELETE FROM event e WHERE e.workspace_id = $1::uuid
    AND e.seq <= (SELECT max(seq) FROM first)
    AND e.seq < COALESCE((SELECT min(seq) FROM first WHERE NOT is_old), 9223372036854775807)
  RETURNING e.seq
), head AS (
  UPDATE workspace_head SET min_seq = GREATEST(min_seq, (SELECT max(seq) + 1 FROM gone))
  WHERE workspace_id = $1::uuid AND EXISTS (SELECT 1 FROM gone)
)
SELECT count(*)::int AS count FROM gone`;
