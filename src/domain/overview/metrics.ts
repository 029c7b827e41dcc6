import { buildTaskCountsSql } from "../task-sums/build-task-counts-sql.ts";
import type { Scope } from "../kernel/scopes.ts";

/** What a metric can be grouped by. */
export const GROUPS = [
  "status",
  "queue",
  "agent",
  "type",
  "kind",
  "suite",
  "robot",
  "action",
  "outcome",
  "policy",
  "cause",
] as const;

export type MetricGroup = (typeof GROUPS)[number];

/** The source of a metric: SQL over rows of workspace `$1` between the instants `$2` and `$3`. */
export type Metric = {
  scope: Scope;
  /** Rows with their instant as `at`, read from an index on it, or counts that are told apart by a group. */
  rows: string | ((group: MetricGroup | null) => string);
  /** The column for each group. */
  groups: Partial<Record<MetricGroup, string>>;
  /** What is aggregated from rows before series are built: sums per bucket, or a value per row. */
  sample: { columns: string; isSum: boolean };
  /** The size of a series, over samples: the largest ones are shown. */
  size: string;
  /** The value of a bucket, over samples. */
  value: string;
  /** The value of a bucket without rows. */
  empty: 0 | null;
};

const COUNT = {
  sample: { columns: "count(*) AS n", isSum: true },
  size: "sum(n)",
  value: "sum(n)",
  empty: 0,
} as const;

/** The 95th percentile of each row's seconds. */
function p95(seconds: string) {
  return {
    sample: { columns: `EXTRACT(EPOCH FROM ${seconds})::float8 AS seconds`, isSum: false },
    size: "count(*)",
    value: "percentile_cont(0.95) WITHIN GROUP (ORDER BY seconds)",
    empty: null,
  } as const;
}

function buildRowsSql(table: string, at: string, conditions = "true"): string {
  return `SELECT *, ${at} AS at FROM ${table}
    WHERE workspace_id = $1::uuid AND ${at} >= $2::timestamptz AND ${at} < $3::timestamptz AND ${conditions}`;
}

const AGENT = "agent_id::text";
const HOLDER = "claimed_by_agent_id::text";

/** Leases that expired, as long as events are kept, whether the task was requeued or failed. */
const EXPIRED_LEASES = `
  SELECT occurred_at AS at, data ->> 'queue' AS queue, agent_id FROM event
  WHERE workspace_id = $1::uuid AND type = 'task.lease_expired'
    AND occurred_at >= $2::timestamptz AND occurred_at < $3::timestamptz
  UNION ALL
  SELECT finished_at, queue, claimed_by_agent_id FROM task
  WHERE workspace_id = $1::uuid AND finished_at >= $2::timestamptz AND finished_at < $3::timestamptz
    AND status = 'failed' AND error ->> 'code' = 'lease_expired'`;

/** Counts a run's results with an outcome. The pass rate ignores skipped results, as in gates. */
function buildCountSql(outcome: "passed" | "failed" | "errored"): string {
  return `(result_counts ->> '${outcome}')::float8`;
}

/** Sums of minutes, or of hours for steps of an hour and more. Those of an hour count at its beginning. */
function buildSumsSql(table: string, condition = "true"): string {
  return `SELECT * FROM ${table} WHERE workspace_id = $1::uuid AND at >= $2::timestamptz AND at < $3::timestamptz
    AND seconds = CASE WHEN $4::int >= 3600 THEN 3600 ELSE 60 END AND ${condition}`;
}

function sum(column: string) {
  return {
    size: "sum(n)",
    value: "sum(n)",
    empty: 0,
    sample: { columns: `sum(${column}) AS n`, isSum: true },
  } as const;
}

function buildTaskRowsSql(of: "created" | "finished", group: MetricGroup | null): string {
  const dimension = group === "queue" || group === "agent" ? group : "workspace";
  return buildTaskCountsSql({ of, dimension, from: "$2", to: "$3", step: "$4::int" });
}

/** A task that is retried later was ready before. */
const READY_AT = "CASE WHEN run_after <= started_at THEN GREATEST(run_after, created_at) ELSE created_at END";

const SAMPLES = `
  SELECT s.robot_id, s.battery_percent, s.at FROM robot r CROSS JOIN LATERAL (
    SELECT robot_id, battery_percent, at FROM robot_sample
    WHERE workspace_id = $1::uuid AND robot_id = r.id AND at >= $2::timestamptz AND at < $3::timestamptz
      AND battery_percent IS NOT NULL
  ) s WHERE r.workspace_id = $1::uuid`;

/** The metrics that can be charted. */
export const METRICS = {
  tasks_created: {
    ...sum("n"),
    scope: "tasks:read",
    rows: (group) => buildTaskRowsSql("created", group),
    groups: { queue: "queue" },
  },
  tasks_finished: {
    ...sum("n"),
    scope: "tasks:read",
    rows: (group) => buildTaskRowsSql("finished", group),
    groups: { status: "status::text", queue: "queue", agent: AGENT },
  },
  tasks_failed: {
    ...COUNT,
    scope: "tasks:read",
    rows: buildRowsSql("task", "finished_at", "status = 'failed'"),
    groups: { cause: "error ->> 'code'" },
  },
  task_wait_p95: {
    ...p95(`started_at - ${READY_AT}`),
    scope: "tasks:read",
    rows: buildRowsSql("task", "started_at"),
    groups: { queue: "queue" },
  },
  task_duration_p95: {
    ...p95("finished_at - started_at"),
    scope: "tasks:read",
    rows: buildRowsSql("task", "finished_at", "started_at IS NOT NULL"),
    groups: { status: "status::text", queue: "queue", agent: HOLDER },
  },
  leases_expired: {
    ...COUNT,
    scope: "tasks:read",
    rows: EXPIRED_LEASES,
    groups: { queue: "queue", agent: AGENT },
  },
  commands_issued: {
    ...COUNT,
    scope: "agent_commands:read",
    rows: buildRowsSql("agent_command", "created_at"),
    groups: { status: "status::text", type: "type", agent: AGENT },
  },
  commands_finished: {
    ...COUNT,
    scope: "agent_commands:read",
    rows: buildRowsSql("agent_command", "finished_at"),
    groups: { status: "status::text", type: "type", agent: AGENT },
  },
  command_ack_p95: {
    ...p95("acknowledged_at - delivered_at"),
    scope: "agent_commands:read",
    rows: buildRowsSql("agent_command", "created_at", "acknowledged_at >= delivered_at"),
    groups: { type: "type", agent: AGENT },
  },
  missions_finished: {
    ...COUNT,
    scope: "missions:read",
    rows: buildRowsSql("mission", "finished_at"),
    groups: { status: "status::text", kind: "kind::text", robot: "robot_id::text" },
  },
  eval_pass_rate: {
    scope: "eval_runs:read",
    rows: buildRowsSql("eval_run", "finished_at", "status = 'completed'"),
    groups: { suite: "suite", agent: AGENT },
    sample: {
      columns: `sum(${buildCountSql("passed")}) AS passed,
        sum(${buildCountSql("passed")} + ${buildCountSql("failed")} + ${buildCountSql("errored")}) AS judged`,
      isSum: true,
    },
    size: "sum(judged)",
    value: "sum(passed) / NULLIF(sum(judged), 0)",
    empty: null,
  },
  robot_battery: {
    scope: "robots:read",
    rows: SAMPLES,
    groups: { robot: "robot_id::text" },
    sample: { columns: "sum(battery_percent) AS percent, count(*) AS n", isSum: true },
    size: "sum(n)",
    value: "sum(percent) / sum(n)",
    empty: null,
  },
  decisions: {
    ...sum("count"),
    scope: "gateway:read",
    rows: buildSumsSql("decision_sum"),
    groups: { agent: AGENT, action: "action", outcome: "outcome::text" },
  },
  decisions_changed_by_monitored: {
    ...sum("count"),
    scope: "gateway:read",
    rows: buildSumsSql("decision_sum", "would <> outcome"),
    groups: { agent: AGENT, action: "action", outcome: "would::text" },
  },
  policy_hits: {
    ...sum("hits"),
    scope: "gateway:read",
    rows: buildSumsSql("policy_sum", "hits > 0"),
    groups: { policy: "policy_id::text" },
  },
  policy_would_hits: {
    ...sum("would_hits"),
    scope: "gateway:read",
    rows: buildSumsSql("policy_sum", "would_hits > 0"),
    groups: { policy: "policy_id::text" },
  },
  messages_sent: {
    ...COUNT,
    scope: "messages:read",
    rows: buildRowsSql("message", "created_at"),
    groups: { kind: "kind::text" },
  },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof METRICS;
