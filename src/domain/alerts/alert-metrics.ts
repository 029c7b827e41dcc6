import type { AlertMetric, AlertRule } from "../../db/generated/client.ts";
import { NOW, SOME_WORKSPACE, type Statement, buildStatement, sql } from "../../db/sql.ts";
import { buildTaskCountsSql } from "../task-sums/build-task-counts-sql.ts";

/** What an alert rule can watch. */
export type WatchedMetric = {
  unit: "count" | "share" | "seconds" | "usd";
  /** The windows that a rule must have, in seconds; null for metrics of the moment. */
  window: { min: number; max: number; step: number } | null;
  filters: readonly Filter[];
  read: (rule: FilteredRule) => [Statement<{ value: number | null }>, readonly unknown[]];
};

export type Filter = "agent" | "label" | "queue";

type FilteredRule = Pick<
  AlertRule,
  "workspaceId" | "agentId" | "label" | "labelValue" | "queue" | "windowSeconds"
>;

const HOUR = 3600;
/** Of commands and waiting tasks, which are counted one by one, at most so many: the same cost however many there are. */
const MOST_ROWS = 10_000;
const RECENT = { min: 60, max: 24 * HOUR, step: 60 };
/** Costs are kept by the hour. */
const HOURS = { min: HOUR, max: 7 * 24 * HOUR, step: HOUR };

/** Agents `a` of a rule: $2 one agent, $3 and $4 a label with its value. */
const IS_COVERED = `($2::uuid IS NULL OR a.id = $2::uuid) AND ($3::text IS NULL OR a.labels ->> $3::text = $4::text)`;

function ofAgents({ workspaceId, agentId, label, labelValue }: FilteredRule): unknown[] {
  return [workspaceId, agentId, label, labelValue];
}

type FailureRateOf = { agents: "all" | "one" | "labelled"; hasQueue: boolean };

/** The share of failed tasks, from the kept sums: the fewest that say it. Agents are joined only for a rule about some. */
function buildFailureRate({ agents, hasQueue }: FailureRateOf): Statement<{ value: number | null }> {
  const isOfAgents = agents !== "all";
  const counts = buildTaskCountsSql({
    of: "finished",
    dimension: isOfAgents ? (hasQueue ? "agent_queue" : "agent") : hasQueue ? "queue" : "workspace",
    from: `${NOW} - $6::int * interval '1 second'`,
    to: "'infinity'",
    ...((hasQueue || agents === "one") && {
      only: { ...(hasQueue && { queue: "$5::text" }), ...(agents === "one" && { agent: "$2::uuid" }) },
    }),
  });
  return buildStatement(
    `failure_rate_of_${agents}${hasQueue ? "_by_queue" : ""}`,
    `SELECT COALESCE(sum(t.n) FILTER (WHERE t.status = 'failed'), 0)::float8 / sum(t.n)::float8 AS value
FROM (${counts}) t ${isOfAgents ? "JOIN agent a ON a.workspace_id = $1::uuid AND a.id = t.agent_id" : ""}
WHERE t.status IN ('completed', 'failed') AND ($5::text IS NULL OR t.queue = $5::text)
  AND ${isOfAgents ? IS_COVERED : "$2::uuid IS NULL AND $3::text IS NULL AND $4::text IS NULL"}`,
  );
}

const FAILURE_RATES = {
  all: buildFailureRates("all"),
  one: buildFailureRates("one"),
  labelled: buildFailureRates("labelled"),
};

function buildFailureRates(agents: FailureRateOf["agents"]) {
  return {
    any: buildFailureRate({ agents, hasQueue: false }),
    one: buildFailureRate({ agents, hasQueue: true }),
  };
}

function findFailureRate({ agentId, label, queue }: FilteredRule): Statement<{ value: number | null }> {
  const agents = agentId !== null ? "one" : label === null ? "all" : "labelled";
  return FAILURE_RATES[agents][queue === null ? "any" : "one"];
}

const ACK_P95 = sql<{ value: number | null }>`
SELECT percentile_cont(0.95) WITHIN GROUP (ORDER BY EXTRACT(EPOCH FROM c.acknowledged_at - c.delivered_at))::float8 AS value
FROM (
  SELECT agent_id, acknowledged_at, delivered_at FROM agent_command
  WHERE workspace_id = ${SOME_WORKSPACE} AND created_at > ${NOW} - $5::int * interval '1 second'
  ORDER BY created_at DESC, id DESC LIMIT ${MOST_ROWS}
) c JOIN agent a ON a.workspace_id = $1::uuid AND a.id = c.agent_id
WHERE c.acknowledged_at >= c.delivered_at AND ${IS_COVERED}`;

const QUEUE_DEPTH = sql<{ value: number | null }>`
SELECT count(*)::float8 AS value FROM (
  SELECT 1 FROM task WHERE workspace_id = ${SOME_WORKSPACE} AND status = 'submitted' AND queue = $2 LIMIT ${MOST_ROWS}
) t`;

const QUEUE_AGE = sql<{ value: number | null }>`
SELECT COALESCE(EXTRACT(EPOCH FROM ${NOW} - (
  SELECT created_at FROM task WHERE workspace_id = ${SOME_WORKSPACE} AND status = 'submitted' AND queue = $2
  ORDER BY created_at LIMIT 1)), 0)::float8 AS value`;

const WAITING_AGE = sql<{ value: number | null }>`
SELECT COALESCE(EXTRACT(EPOCH FROM ${NOW} - (
  SELECT created_at FROM task WHERE workspace_id = ${SOME_WORKSPACE} AND status = 'submitted'
  ORDER BY created_at, id LIMIT 1)), 0)::float8 AS value`;

const QUESTION_AGE = sql<{ value: number | null }>`
SELECT COALESCE(EXTRACT(EPOCH FROM ${NOW} - (
  SELECT created_at FROM message WHERE workspace_id = ${SOME_WORKSPACE} AND waiting
  ORDER BY created_at, id LIMIT 1)), 0)::float8 AS value`;

const APPROVAL_AGE = sql<{ value: number | null }>`
SELECT COALESCE(EXTRACT(EPOCH FROM ${NOW} - (
  SELECT created_at FROM approval WHERE workspace_id = ${SOME_WORKSPACE} AND status = 'pending'
  ORDER BY created_at, id LIMIT 1)), 0)::float8 AS value`;

/** The kept total of a collection's facet. */
const TOTAL = sql<{ value: number | null }>`
SELECT COALESCE((SELECT total FROM collection_total
  WHERE workspace_id = $1::uuid AND collection = $2 AND facet = $3), 0)::float8 AS value`;

/** The current hour and those before it. */
const COST = sql<{ value: number | null }>`
SELECT COALESCE(sum(cost_usd), 0)::float8 AS value FROM usage_bucket
WHERE workspace_id = ${SOME_WORKSPACE} AND period = 'hour' AND start > ${NOW} - $2::int * interval '1 second'
  AND CASE WHEN $3::uuid IS NULL THEN dimension = 'workspace' ELSE dimension = 'agent' AND key = $3::text END`;

/** Agents that were connected once. */
const OFFLINE = sql<{ value: number | null }>`
SELECT count(*)::float8 AS value FROM agent a
WHERE a.workspace_id = ${SOME_WORKSPACE} AND a.archived_at IS NULL AND a.presence = 'offline'
  AND a.last_seen_at IS NOT NULL AND a.kind = $5::agent_kind AND ${IS_COVERED}`;

/** What alert rules can watch. What is counted row by row is bounded; everything else is kept or a look at an index. */
export const ALERT_METRICS: Readonly<Record<AlertMetric, WatchedMetric>> = {
  task_failure_rate: {
    unit: "share",
    window: RECENT,
    filters: ["agent", "label", "queue"],
    read: (rule) => [findFailureRate(rule), [...ofAgents(rule), rule.queue, rule.windowSeconds]],
  },
  queue_depth: {
    unit: "count",
    window: null,
    filters: ["queue"],
    read: ({ workspaceId, queue }) =>
      queue === null ? [TOTAL, [workspaceId, "tasks", "submitted"]] : [QUEUE_DEPTH, [workspaceId, queue]],
  },
  queue_age: {
    unit: "seconds",
    window: null,
    filters: ["queue"],
    read: ({ workspaceId, queue }) =>
      queue === null ? [WAITING_AGE, [workspaceId]] : [QUEUE_AGE, [workspaceId, queue]],
  },
  questions_waiting: {
    unit: "count",
    window: null,
    filters: [],
    read: ({ workspaceId }) => [TOTAL, [workspaceId, "messages", "waiting"]],
  },
  question_age: {
    unit: "seconds",
    window: null,
    filters: [],
    read: ({ workspaceId }) => [QUESTION_AGE, [workspaceId]],
  },
  approvals_waiting: {
    unit: "count",
    window: null,
    filters: [],
    read: ({ workspaceId }) => [TOTAL, [workspaceId, "approvals", "pending"]],
  },
  approval_age: {
    unit: "seconds",
    window: null,
    filters: [],
    read: ({ workspaceId }) => [APPROVAL_AGE, [workspaceId]],
  },
  cost_usd: {
    unit: "usd",
    window: HOURS,
    filters: ["agent"],
    read: ({ workspaceId, windowSeconds, agentId }) => [COST, [workspaceId, windowSeconds, agentId]],
  },
  command_ack_p95: {
    unit: "seconds",
    window: RECENT,
    filters: ["agent", "label"],
    read: (rule) => [ACK_P95, [...ofAgents(rule), rule.windowSeconds]],
  },
  agents_offline: {
    unit: "count",
    window: null,
    filters: ["agent", "label"],
    read: (rule) => [OFFLINE, [...ofAgents(rule), "software"]],
  },
  robots_offline: {
    unit: "count",
    window: null,
    filters: ["agent", "label"],
    read: (rule) => [OFFLINE, [...ofAgents(rule), "robot"]],
  },
};
