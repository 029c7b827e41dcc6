import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { FairTurns } from "../sweeps/fair-turns.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { NO_AGENT, buildBinSql } from "./sum-times.ts";

/** About how many tasks are added per transaction: the last minute of a batch may have more. */
const BATCH = 5000;

/**
 * Up to when no task can be created or finished any more: these times are of when a transaction began, or later, so
 * they are at least those of the oldest one, unless it is a vacuum. The minute is for clocks that are set back. A long
 * transaction, such as a backup, delays sums: rows are counted meanwhile.
 */
const SAFE = buildBinSql(
  "1 minute",
  `LEAST(${NOW} - interval '1 minute', (
    SELECT min(xact_start) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND backend_type IS DISTINCT FROM 'autovacuum worker'))`,
);

const DUE = sql<{ id: string }>`
SELECT w.id FROM workspace w LEFT JOIN task_sum_place p ON p.workspace_id = w.id
CROSS JOIN (SELECT ${SAFE} AS at) safe
WHERE EXISTS (SELECT 1 FROM task t WHERE t.workspace_id = w.id
    AND t.finished_at >= COALESCE(p.until, '-infinity') AND t.finished_at < safe.at)
  OR EXISTS (SELECT 1 FROM task t WHERE t.workspace_id = w.id
    AND t.created_at >= COALESCE(p.until, '-infinity') AND t.created_at < safe.at)`;

/**
 * Adds the tasks that were created or finished in past minutes to the sums of minutes and hours, minute by minute, and
 * moves the place of their workspace. Any number of nodes may run it at once; the writers of tasks never wait for it.
 *
 * @returns about how many tasks were added.
 */
export async function foldTaskSums(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<number> {
  return sweepWorkspaces(
    services,
    { now, turns },
    { due: DUE, actor: "sums", batch: (ctx) => ctx.transaction(foldBatch) },
  );
}

async function foldBatch(tx: Transaction): Promise<number> {
  const { workspaceId } = tx.ctx;
  await tx.run(INSERT_PLACE, [workspaceId]);
  // Another node's lock: it moves the place.
  const [place] = await tx.run(LOCK_PLACE, [workspaceId]);
  if (place === undefined) return 0;
  const [range] = await tx.run(RANGE, [workspaceId]);
  if (range === undefined || range.until === null) return 0;
  await tx.run(ADD, [workspaceId, range.until]);
  await tx.run(MOVE_PLACE, [workspaceId, range.until]);
  return BATCH;
}

const INSERT_PLACE = sql`
INSERT INTO task_sum_place (workspace_id, until) VALUES ($1::uuid, '-infinity') ON CONFLICT DO NOTHING`;

const LOCK_PLACE = sql<{ found: number }>`
SELECT 1 AS found FROM task_sum_place WHERE workspace_id = $1::uuid FOR UPDATE SKIP LOCKED`;

const MOVE_PLACE = sql`UPDATE task_sum_place SET until = $2::timestamptz WHERE workspace_id = $1::uuid`;

/** The end of the minute in which there are enough tasks, or of the last safe one; null if there are none. */
const RANGE = sql<{ until: Date | null }>`
SELECT CASE WHEN created.one OR finished.one THEN LEAST(safe.at, created.until, finished.until) END AS until
FROM (SELECT until FROM task_sum_place WHERE workspace_id = $1::uuid) place CROSS JOIN (SELECT ${SAFE} AS at) safe
CROSS JOIN LATERAL (
  SELECT count(*) > 0 AS one,
    CASE WHEN count(*) = ${BATCH} THEN ${buildBinSql("1 minute", "max(at)")} + interval '1 minute' END AS until
  FROM (SELECT created_at AS at FROM task WHERE workspace_id = $1::uuid AND created_at >= place.until
    AND created_at < safe.at ORDER BY created_at, id LIMIT ${BATCH}) t
) created
CROSS JOIN LATERAL (
  SELECT count(*) > 0 AS one,
    CASE WHEN count(*) = ${BATCH} THEN ${buildBinSql("1 minute", "max(at)")} + interval '1 minute' END AS until
  FROM (SELECT finished_at AS at FROM task WHERE workspace_id = $1::uuid AND finished_at >= place.until
    AND finished_at < safe.at ORDER BY finished_at, id LIMIT ${BATCH}) t
) finished`;

/** Created tasks have no holder. A minute is added once, an hour in parts. */
const ADD = sql`
WITH place AS (SELECT until FROM task_sum_place WHERE workspace_id = $1::uuid), added AS (
  SELECT ${buildBinSql("1 minute", "t.created_at")} AS at, 'submitted'::task_status AS status, t.queue, '${NO_AGENT}'::uuid AS agent_id
  FROM task t, place WHERE t.workspace_id = $1::uuid AND t.created_at >= place.until AND t.created_at < $2::timestamptz
  UNION ALL
  SELECT ${buildBinSql("1 minute", "t.finished_at")}, t.status, t.queue, COALESCE(t.claimed_by_agent_id, '${NO_AGENT}')
  FROM task t, place WHERE t.workspace_id = $1::uuid AND t.finished_at >= place.until AND t.finished_at < $2::timestamptz
), counted AS MATERIALIZED (
  SELECT at, status, queue, agent_id, count(*) AS n FROM added GROUP BY at, status, queue, agent_id
), minute AS MATERIALIZED (
  SELECT CASE GROUPING(queue, agent_id) WHEN 0 THEN 'agent_queue' WHEN 1 THEN 'queue' WHEN 2 THEN 'agent' ELSE 'workspace'
    END::task_sum_dimension AS dimension,
    at, status, COALESCE(queue, '') AS queue, COALESCE(agent_id, '${NO_AGENT}') AS agent_id, sum(n) AS n
  FROM counted
  GROUP BY GROUPING SETS ((at, status), (at, status, queue), (at, status, agent_id), (at, status, queue, agent_id))
)
INSERT INTO task_sum AS s (workspace_id, dimension, seconds, at, status, queue, agent_id, count)
SELECT $1::uuid, dimension, 60, at, status, queue, agent_id, n FROM minute
WHERE at >= ${NOW} - interval '${LIMITS.minuteSumHours} hours' AND (status <> 'submitted' OR dimension IN ('workspace', 'queue'))
UNION ALL
SELECT $1::uuid, dimension, 3600, ${buildBinSql("1 hour", "at")}, status, queue, agent_id, sum(n) FROM minute
WHERE status <> 'submitted' OR dimension IN ('workspace', 'queue')
GROUP BY 2, 4, 5, 6, 7
ON CONFLICT (workspace_id, dimension, seconds, at, status, queue, agent_id) DO UPDATE SET count = s.count + EXCLUDED.count`;
