import { type Statement, NOW, buildStatement, share } from "../../db/sql.ts";
import { PRESENCE_SECONDS } from "../agents/presence.ts";
import { buildTaskCountsSql } from "../task-sums/build-task-counts-sql.ts";
import { LIMITS } from "../kernel/limits.ts";
import { buildControlStateSql } from "../stops/is-stopped.ts";
import { OVERVIEW_WINDOWS, type OverviewWindow } from "./overview-window.ts";

/** Row counts by status. A status without rows is left out. */
export type Counts<Status extends string = string> = Partial<Record<Status, number>>;

/** The statement's only row. */
export type OverviewRow = {
  at: Date;
  agents: { presence: string; controlState: string; count: number }[];
  totals: { collection: string; facet: string; total: number }[];
  queues: { name: string; depth: number; oldestAt: string }[];
  questions: { waiting: number; oldestId: string | null; oldestAt: string | null };
  oldestCommandAt: Date | null;
  robots: { status: string; controlState: string; count: number; stopped: number }[];
  tasksEnded: Counts;
  commandsEnded: Counts;
  missionsEnded: Counts;
};

/** How many queues are read, and how many of them are shown. */
const QUEUES = { known: 100, shown: 20 };

/**
 * Builds the statement of a window: $1 is the workspace. The window is part of the text, so that the
 * planner knows it.
 */
export function overviewStatement(window: OverviewWindow): Statement<OverviewRow> {
  const since = `${NOW} - interval '${OVERVIEW_WINDOWS[window]}'`;
  return share(buildStatement(`overview_${window}`, buildText(since)));
}

function buildText(since: string): string {
  return `
WITH RECURSIVE queue(name, place) AS (
  (SELECT queue, 1 FROM task WHERE workspace_id = $1::uuid AND status = 'submitted' ORDER BY queue LIMIT 1)
  UNION ALL
  SELECT next.queue, queue.place + 1 FROM queue CROSS JOIN LATERAL (
    SELECT t.queue FROM task t WHERE t.workspace_id = $1::uuid AND t.status = 'submitted' AND t.queue > queue.name
    ORDER BY t.queue LIMIT 1
  ) next
  WHERE queue.place < ${QUEUES.known}
)
SELECT
  ${NOW} AS at,
  ${buildListSql(AGENTS)} AS agents,
  ${buildListSql(TOTALS)} AS totals,
  ${buildListSql(QUEUE_DEPTHS)} AS queues,
  (${QUESTIONS}) AS questions,
  LEAST(${buildOldestCommandSql("queued")}, ${buildOldestCommandSql("delivered")}) AS "oldestCommandAt",
  ${buildListSql(ROBOTS)} AS robots,
  ${buildEndedTasksSql(since)} AS "tasksEnded",
  ${buildEndedSql("agent_command", since)} AS "commandsEnded",
  ${buildEndedSql("mission", since)} AS "missionsEnded"
FROM workspace w WHERE w.id = $1::uuid`;
}

function buildListSql(select: string): string {
  return `(SELECT COALESCE(json_agg(rows), '[]') FROM (${select}) rows)`;
}

/** Uses the statement's workspace `w`. */
const AGENTS = `
  SELECT CASE WHEN last_seen_at > ${NOW} - interval '${PRESENCE_SECONDS.online} seconds' THEN 'online'
      WHEN last_seen_at > ${NOW} - interval '${PRESENCE_SECONDS.stale} seconds' THEN 'stale' ELSE 'offline' END AS presence,
    ${buildControlStateSql("a")} AS "controlState", count(*) AS count
  FROM agent a WHERE workspace_id = $1::uuid AND archived_at IS NULL GROUP BY 1, 2`;

const TOTALS = `
  SELECT collection, facet, total FROM collection_total
  WHERE workspace_id = $1::uuid AND collection IN ('tasks', 'agent_commands', 'missions', 'eval_runs') AND facet <> 'all'`;

const QUEUE_DEPTHS = `
  SELECT queue.name, waiting.depth, waiting."oldestAt" FROM queue CROSS JOIN LATERAL (
    SELECT count(*) AS depth, min(created_at) AS "oldestAt" FROM (
      SELECT created_at FROM task WHERE workspace_id = $1::uuid AND status = 'submitted' AND task.queue = queue.name
      ORDER BY created_at LIMIT ${LIMITS.countedMatches + 1}
    ) oldest
  ) waiting
  ORDER BY depth DESC, name LIMIT ${QUEUES.shown}`;

/**
 * Questions that a task waits for, and unanswered ones that concern no task. Questions of finished tasks
 * don't wait.
 */
const QUESTIONS = `
  SELECT json_build_object('waiting', COALESCE(waiting.total, 0), 'oldestId', oldest.id, 'oldestAt', oldest.created_at)
  FROM (VALUES ($1::uuid)) AS own(workspace_id)
  LEFT JOIN collection_total waiting
    ON waiting.workspace_id = own.workspace_id AND waiting.collection = 'messages' AND waiting.facet = 'waiting'
  LEFT JOIN LATERAL (
    SELECT id, created_at FROM message WHERE workspace_id = $1::uuid AND waiting ORDER BY created_at, id LIMIT 1
  ) oldest ON true`;

const ROBOTS = `
  SELECT r.status, ${buildControlStateSql("a")} AS "controlState", count(*) AS count, count(*) FILTER (WHERE r.emergency_stop <> 'none') AS stopped
  FROM robot r JOIN agent a ON a.workspace_id = r.workspace_id AND a.id = r.id
  WHERE r.workspace_id = $1::uuid AND a.archived_at IS NULL GROUP BY 1, 2`;

function buildOldestCommandSql(status: string): string {
  return `(SELECT created_at FROM agent_command WHERE workspace_id = $1::uuid AND status = '${status}'
    ORDER BY created_at, id LIMIT 1)`;
}

function buildEndedTasksSql(since: string): string {
  const counts = buildTaskCountsSql({
    of: "finished",
    dimension: "workspace",
    from: since,
    to: "'infinity'",
  });
  return `(SELECT COALESCE(json_object_agg(status, count), '{}') FROM (
    SELECT status, sum(n) AS count FROM (${counts}) counts GROUP BY status
  ) ended)`;
}

/** Reads an index on the end time, which includes the status where there may be many rows. */
function buildEndedSql(table: string, since: string): string {
  return `(SELECT COALESCE(json_object_agg(status, count), '{}') FROM (
    SELECT status, count(*) AS count FROM ${table} WHERE workspace_id = $1::uuid AND finished_at > ${since} GROUP BY status
  ) ended)`;
}
