import { NOW } from "../../db/sql.ts";
import { LIMITS } from "../kernel/limits.ts";
import { NO_AGENT, buildBinSql } from "./sum-times.ts";

/** What counted tasks are told apart by, besides their status. The fewer, the fewer rows are read. */
export type TaskSumDimension = "workspace" | "queue" | "agent" | "agent_queue";

/** SQL of what is counted. */
export type TaskCounts = {
  of: "created" | "finished";
  dimension: TaskSumDimension;
  /** Counted are tasks since `from`, which is included, and before `to`. */
  from: string;
  to: string;
  /** The seconds of the steps from `from` on that counts must not cross. Default: counts may be of any part. */
  step?: string;
  /** Counts only one queue's, or one agent's, tasks: the same cost however many others there are. */
  only?: { queue?: string; agent?: string };
};

/** An hour less than sums of minutes are kept, so that none is missing. */
const MINUTES_SINCE = `${NOW} - interval '${LIMITS.minuteSumHours - 1} hours'`;

/**
 * Builds a query of counts `n` of the tasks of workspace `$1`, with `at`, `status`, `queue` and `agent_id`: from the
 * sums of the whole hours in the range, from those of minutes at its edges, and from the rows that are in no sum.
 * Together these are exact. `at` is in the step of the counted tasks. Created tasks are `submitted`.
 */
export function buildTaskCountsSql(counts: TaskCounts): string {
  const rows = ROWS[counts.of];
  const { at } = rows;
  return `SELECT part.* FROM (${buildPartsSql(counts)}) p CROSS JOIN LATERAL (
    ${buildSumsSql(counts, { seconds: 3600, from: "p.hours_from", to: "p.hours_to" })}
    UNION ALL ${buildSumsSql(counts, { seconds: 60, from: "p.minutes_from", to: "LEAST(p.hours_from, p.minutes_to)" })}
    UNION ALL ${buildSumsSql(counts, { seconds: 60, from: "GREATEST(p.hours_from, p.hours_to)", to: "p.minutes_to" })}
    UNION ALL ${rows.select} AND ${at} >= p.since AND ${at} < LEAST(p.minutes_from, p.till)
    UNION ALL ${rows.select} AND ${at} >= GREATEST(p.minutes_from, p.minutes_to) AND ${at} < p.till
  ) part`;
}

type Part = { seconds: 60 | 3600; from: string; to: string };

/** Sums are in the order of their times, then of queues and agents: of one queue or agent, each time is looked up. */
function buildSumsSql({ of, dimension, only }: TaskCounts, { seconds, from, to }: Part): string {
  const hasQueues = dimension === "queue" || dimension === "agent_queue";
  const times = `ARRAY(SELECT generate_series(${from}, ${to} - interval '1 second', interval '${seconds} seconds'))`;
  const isWanted =
    only === undefined
      ? `s.at >= ${from} AND s.at < ${to}`
      : `s.at = ANY(${times}) AND s.queue = ${hasQueues ? (only.queue ?? "s.queue") : "''"} AND s.agent_id = ${only.agent ?? "s.agent_id"}`;
  return `SELECT s.at, s.status, NULLIF(s.queue, '') AS queue, NULLIF(s.agent_id, '${NO_AGENT}') AS agent_id, s.count AS n
    FROM task_sum s WHERE s.workspace_id = $1::uuid AND s.dimension = '${dimension}'
      AND s.status ${of === "created" ? "=" : "<>"} 'submitted' AND s.seconds = ${seconds} AND ${isWanted}`;
}

/** Queues are no plain columns, so that an index on times is read however few tasks PostgreSQL expects of a queue. */
const ROWS = {
  created: {
    at: "t.created_at",
    select: `SELECT t.created_at, 'submitted'::task_status, NULLIF(t.queue, ''), NULL::uuid, 1
      FROM task t WHERE t.workspace_id = $1::uuid`,
  },
  finished: {
    at: "t.finished_at",
    select: `SELECT t.finished_at, t.status, NULLIF(t.queue, ''), t.claimed_by_agent_id, 1
      FROM task t WHERE t.workspace_id = $1::uuid`,
  },
} as const;

/**
 * The range and its parts that sums cover. A range that ends after the place of the workspace has a last hour, and no
 * edge of minutes there. What can't be split at hours, or minutes, begins with those never.
 */
function buildPartsSql({ from, to, step }: TaskCounts): string {
  const known = `SELECT (${from})::timestamptz AS since, (${to})::timestamptz AS till,
    COALESCE((SELECT until FROM task_sum_place WHERE workspace_id = $1::uuid), '-infinity') AS until`;
  const split = `SELECT since, till, ${buildFirstSql("1 hour", step)} AS hours_from, ${buildLastSql("1 hour")} AS hours_to,
    ${buildFirstSql("1 minute", step)} AS first_minute, ${buildLastSql("1 minute")} AS last_minute FROM (${known}) known`;
  const lastEdge = "GREATEST(hours_from, hours_to)";
  return `SELECT since, till, hours_from, hours_to,
    CASE WHEN first_minute >= ${MINUTES_SINCE} THEN first_minute ELSE hours_from END AS minutes_from,
    CASE WHEN ${lastEdge} >= ${MINUTES_SINCE} OR first_minute >= ${MINUTES_SINCE} THEN last_minute ELSE ${lastEdge} END AS minutes_to
    FROM (${split}) split`;
}

/** The first whole hour or minute since the range began. */
function buildFirstSql(unit: "1 hour" | "1 minute", step: string | undefined): string {
  const first = `${buildBinSql(unit, "since - interval '1 microsecond'")} + interval '${unit}'`;
  if (step === undefined) return first;
  const seconds = unit === "1 hour" ? 3600 : 60;
  return `CASE WHEN (${step}) % ${seconds} = 0 AND since = ${buildBinSql(unit, "since")} THEN since ELSE 'infinity' END`;
}

/** The end of the last one, or of what is in sums. */
function buildLastSql(unit: "1 hour" | "1 minute"): string {
  return `CASE WHEN till >= until THEN until ELSE ${buildBinSql(unit, "till")} END`;
}
