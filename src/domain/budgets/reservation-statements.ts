import type { ControlState, ReservationStatus } from "../../db/generated/enums.ts";
import { CLOCK, sql } from "../../db/sql.ts";
import { isStoppedSql } from "../stops/is-stopped.ts";
import type { ReservationRow } from "./reservation.ts";

/**
 * Waits for a change of the workspace's budgets, and keeps others from beginning until the transaction ends. An
 * advisory lock is granted in order, so that a stream of reservations never keeps such a change waiting.
 */
export const HOLD_BUDGETS = sql<{ locked: string }>`
SELECT pg_advisory_xact_lock_shared(hashtextextended('budgets ' || $1, 0))::text AS locked`;

/** Waits for running reservations, and keeps others from beginning until the transaction ends. */
export const LOCK_BUDGETS = sql<{ locked: string }>`
SELECT pg_advisory_xact_lock(hashtextextended('budgets ' || $1, 0))::text AS locked`;

/** In a statement of its own, so that it reads what was committed before the lock. $2 are agents. */
export const STATE = sql<{
  budgetGeneration: number;
  now: Date;
  agents: {
    id: string;
    labels: Record<string, string>;
    controlState: ControlState;
    isArchived: boolean;
    isStopped: boolean;
  }[];
}>`
SELECT w.budget_generation AS "budgetGeneration",
  date_trunc('milliseconds', ${CLOCK}) AS now,
  COALESCE((
    SELECT jsonb_agg(jsonb_build_object('id', a.id, 'labels', a.labels, 'controlState', a.control_state,
      'isArchived', a.archived_at IS NOT NULL, 'isStopped', ${isStoppedSql("a")}))
    FROM agent a WHERE a.workspace_id = w.id AND a.id = ANY($2::uuid[])
  ), '[]') AS agents
FROM workspace w WHERE w.id = $1::uuid`;

export const RESERVATION_COLUMNS = `r.id, r.agent_id AS "agentId", r.delegate_id AS "delegateId", r.lines, r.status::text, r.assumed, r.amounts, r.reported,
  r.decision_id AS "decisionId", r.execution_id AS "executionId", r.expires_at AS "expiresAt",
  r.ended_at AS "endedAt", r.created_at AS "createdAt"`;

export const LOCK_RESERVATIONS = sql<ReservationRow & { status: ReservationStatus }>`
SELECT ${RESERVATION_COLUMNS} FROM reservation r WHERE r.workspace_id = $1::uuid AND r.id = ANY($2::uuid[])
ORDER BY r.id FOR NO KEY UPDATE`;

/** Before any sum is locked, so that batches never wait for each other in a circle. */
export const OPEN_WINDOWS = sql`
INSERT INTO budget_window (workspace_id, budget_id, window_start, subject, window_end, limit_amount)
SELECT $1::uuid, w."budgetId", w."windowStart", w.subject, w."windowEnd", w."limit"
FROM jsonb_to_recordset($2::jsonb)
  AS w("budgetId" uuid, "windowStart" timestamptz, subject text, "windowEnd" timestamptz, "limit" bigint)
ORDER BY 2, 3, 4
ON CONFLICT DO NOTHING`;

export const LOCK_WINDOWS = sql<{
  budgetId: string;
  windowStart: Date;
  subject: string;
  windowEnd: Date | null;
  limit: bigint;
  used: bigint;
  reserved: bigint;
  assumed: bigint;
  reported: bigint;
  firedPercent: number;
  pauseDue: boolean;
}>`
SELECT w.budget_id AS "budgetId", w.window_start AS "windowStart", w.subject, w.window_end AS "windowEnd",
  w.limit_amount AS "limit", w.used, w.reserved, w.assumed, w.reported, w.fired_percent AS "firedPercent",
  w.pause_due AS "pauseDue"
FROM budget_window w
JOIN jsonb_to_recordset($2::jsonb) AS a("budgetId" uuid, "windowStart" timestamptz, subject text)
  ON w.budget_id = a."budgetId" AND w.window_start = a."windowStart" AND w.subject = a.subject
WHERE w.workspace_id = $1::uuid
ORDER BY w.budget_id, w.window_start, w.subject FOR NO KEY UPDATE OF w`;

/** Writes locked sums ($2), new reservations ($3) and changed ones ($4). */
export const WRITE = sql`
WITH moved AS (
  UPDATE budget_window w SET used = m.used, reserved = m.reserved, assumed = m.assumed,
    reported = m.reported, fired_percent = m."firedPercent", pause_due = m."pauseDue"
  FROM jsonb_to_recordset($2::jsonb) AS m("budgetId" uuid, "windowStart" timestamptz, subject text, used bigint,
    reserved bigint, assumed bigint, reported bigint, "firedPercent" int, "pauseDue" boolean)
  WHERE w.workspace_id = $1::uuid AND w.budget_id = m."budgetId" AND w.window_start = m."windowStart"
    AND w.subject = m.subject
), changed AS (
  UPDATE reservation r SET lines = c.lines, status = c.status, assumed = c.assumed, amounts = c.amounts,
    reported = c.reported, ended_at = c."endedAt"
  FROM jsonb_to_recordset($4::jsonb) AS c(id uuid, lines jsonb, status reservation_status, assumed boolean,
    amounts jsonb, reported jsonb, "endedAt" timestamptz)
  WHERE r.workspace_id = $1::uuid AND r.id = c.id
)
INSERT INTO reservation (workspace_id, id, agent_id, delegate_id, lines, status, assumed, amounts, reported, decision_id,
  execution_id, expires_at, ended_at, created_at)
SELECT $1::uuid, n.id, n."agentId", n."delegateId", n.lines, n.status, n.assumed, n.amounts, n.reported, n."decisionId",
  n."executionId", n."expiresAt", n."endedAt", n."createdAt"
FROM jsonb_to_recordset($3::jsonb) AS n(id uuid, "agentId" uuid, "delegateId" uuid, lines jsonb, status reservation_status,
  assumed boolean, amounts jsonb, reported jsonb, "decisionId" uuid, "executionId" uuid, "expiresAt" timestamptz,
  "endedAt" timestamptz, "createdAt" timestamptz)`;
