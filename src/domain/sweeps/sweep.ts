import { buildStatement } from "../../db/sql.ts";
import type { Database } from "../../db/client.ts";
import { LIMITS } from "../kernel/limits.ts";

/** The most rows per statement, so that nobody waits long. */
const BATCH = 5000;

/** What a sweep has deleted. */
export type SweepCounts = {
  events: number;
  idempotencyKeys: number;
  socketTokens: number;
  agentTokens: number;
  revocations: number;
  userTokens: number;
  resetRequests: number;
  emails: number;
  throttles: number;
  robotSamples: number;
};

/**
 * Deletes what is not needed any more: events beyond their workspace's retention (advancing the oldest
 * cursor that can be resumed), used Idempotency-Keys, expired socket tokens, agent tokens that became
 * invalid 30 days ago, revocations that all nodes have long applied, expired sessions and links, emails
 * that are not retried any more, throttles without a recent attempt, and robot samples older than 7 days.
 * Any number of nodes may run it at once.
 */
export async function sweep(database: Database): Promise<SweepCounts> {
  return {
    events: await deleteInBatches(database, EVENTS),
    idempotencyKeys: await deleteInBatches(
      database,
      buildDeleteSql("idempotency_key", `created_at <= now() - interval '${LIMITS.idempotencyHours} hours'`),
    ),
    socketTokens: await deleteInBatches(
      database,
      buildDeleteSql("socket_token", "expires_at <= now() - interval '1 day'"),
    ),
    agentTokens: await deleteInBatches(
      database,
      buildDeleteSql(
        "agent_token",
        `LEAST(expires_at, revoked_at) <= now() - interval '30 days' AND NOT EXISTS (
           SELECT 1 FROM socket_token s WHERE s.workspace_id = agent_token.workspace_id AND s.agent_token_id = agent_token.id)`,
      ),
    ),
    revocations: await deleteInBatches(
      database,
      buildDeleteSql("revocation", "created_at <= now() - interval '1 day'"),
    ),
    userTokens: await deleteInBatches(database, buildDeleteSql("users_tokens", "expires_at <= now()")),
    resetRequests: await deleteInBatches(
      database,
      buildDeleteSql("reset_request", "created_at <= now() - interval '1 hour'"),
    ),
    emails: await deleteInBatches(
      database,
      buildDeleteSql("mail_outbox", "created_at <= now() - interval '1 day'"),
    ),
    throttles: await deleteInBatches(
      database,
      buildDeleteSql("throttle", "touched_at <= now() - interval '1 hour'"),
    ),
    robotSamples: await deleteInBatches(
      database,
      buildDeleteSql("robot_sample", `at <= now() - interval '${LIMITS.robotSampleDays} days'`),
    ),
  };
}

/**
 * Deletes the oldest events in order, so that no gap arises. Skips workspaces whose first event is kept.
 * Counts workspaces.
 */
const EVENTS = `
WITH old AS (
  SELECT w.id AS workspace_id, e.seq
  FROM (SELECT id, now() - make_interval(days => event_retention_days) AS since FROM workspace) w
  CROSS JOIN LATERAL (
    SELECT seq, occurred_at FROM event
    WHERE workspace_id = w.id
      AND (SELECT f.occurred_at FROM event f WHERE f.workspace_id = w.id ORDER BY f.seq LIMIT 1) <= w.since
    ORDER BY seq LIMIT ${BATCH}
  ) e
  WHERE e.occurred_at <= w.since LIMIT ${BATCH}
), gone AS (
  DELETE FROM event e USING old WHERE e.workspace_id = old.workspace_id AND e.seq = old.seq
  RETURNING e.workspace_id, e.seq
)
UPDATE workspace_head h SET min_seq = GREATEST(h.min_seq, g.last + 1)
FROM (SELECT workspace_id, max(seq) AS last FROM gone GROUP BY workspace_id) g WHERE h.workspace_id = g.workspace_id RETURNING 1`;

function buildDeleteSql(table: string, condition: string): string {
  return `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`;
}

async function deleteInBatches({ transaction }: Database, text: string): Promise<number> {
  const statement = buildStatement("", text);
  let total = 0;
  for (;;) {
    // In a transaction, which has a longer time limit.
    const count = await transaction(async ({ run }) => {
      const { length } = await run(statement, []);
      return { result: length, last: [] };
    });
    if (count === 0) return total;
    total += count;
  }
}
