import type { Collection } from "../kernel/events.ts";
import type { RetentionSetting } from "../kernel/retention-days.ts";

/** A column that refers to a row of the collection and is cleared when that row is deleted. */
type Reference = { table: string; column: string; collection: Collection; hasStatus: boolean };

/** SQL over a row `r`: the facet of its totals, and its conversation; `NULL` if it has none. */
export type RetentionColumns = { status: string; contextId: string };

/** How long rows of a collection are kept, and exceptions. */
export type RetentionRule = {
  setting: RetentionSetting;
  collection: Collection;
  table: string;
  /** The column from which the days count. Rows with null are kept. */
  since: "finished_at" | "created_at" | "decided_at" | "ended_at";
  columns: RetentionColumns;
  /** SQL over a row `r`: true while it must be kept. */
  isNeeded: string;
  references: readonly Reference[];
  /** Whether a deleted row may have kept older ones of its collection. */
  freesOlder: boolean;
  /** Rows per transaction: few, so that nobody waits long. */
  batch: number;
};

/** A person has to say how these ended. */
const IS_OPEN_EXECUTION = "r.status IN ('unknown', 'unreported')";

const WITH_STATUS: RetentionColumns = { status: "r.status::text", contextId: "NULL::uuid" };

/**
 * The retention rules. Rows that refer to unfinished ones, or that unfinished ones refer to, are kept;
 * finished rows lose their references.
 */
export const RETENTION_RULES: readonly RetentionRule[] = [
  {
    setting: "messageRetentionDays",
    collection: "messages",
    table: "message",
    since: "created_at",
    batch: 500,
    freesOlder: false,
    columns: { status: "CASE WHEN r.waiting THEN 'waiting' END", contextId: "r.context_id" },
    isNeeded: joinWithOr(namesOpen("task", "task_id"), namesOpen("mission", "mission_id")),
    references: [
      { table: "message", column: "reply_to_id", collection: "messages", hasStatus: false },
      { table: "task", column: "question_id", collection: "tasks", hasStatus: true },
    ],
  },
  {
    setting: "agentCommandRetentionDays",
    collection: "agent_commands",
    table: "agent_command",
    since: "finished_at",
    columns: WITH_STATUS,
    batch: 500,
    freesOlder: false,
    isNeeded: joinWithOr(
      isNamedByOpen("mission", "start_command_id"),
      finds("stop", "o.id = r.batch_id AND o.released_at IS NULL"),
    ),
    references: [{ table: "mission", column: "start_command_id", collection: "missions", hasStatus: true }],
  },
  {
    setting: "taskRetentionDays",
    collection: "tasks",
    table: "task",
    since: "finished_at",
    columns: WITH_STATUS,
    batch: 500,
    freesOlder: false,
    isNeeded: joinWithOr(
      isNamedByOpen("task", "parent_task_id"),
      isNamedByOpen("agent_command", "task_id"),
      isNamedByOpen("mission", "task_id"),
    ),
    references: [
      { table: "task", column: "parent_task_id", collection: "tasks", hasStatus: true },
      { table: "message", column: "task_id", collection: "messages", hasStatus: false },
      { table: "agent_command", column: "task_id", collection: "agent_commands", hasStatus: true },
      { table: "mission", column: "task_id", collection: "missions", hasStatus: true },
    ],
  },
  {
    setting: "missionRetentionDays",
    collection: "missions",
    table: "mission",
    since: "finished_at",
    columns: WITH_STATUS,
    batch: 200,
    freesOlder: false,
    isNeeded: joinWithOr(isNamedByOpen("task", "mission_id"), isNamedByOpen("agent_command", "mission_id")),
    references: [
      { table: "task", column: "mission_id", collection: "tasks", hasStatus: true },
      { table: "message", column: "mission_id", collection: "messages", hasStatus: false },
      { table: "agent_command", column: "mission_id", collection: "agent_commands", hasStatus: true },
    ],
  },
  {
    setting: "evalRunRetentionDays",
    collection: "eval_runs",
    table: "eval_run",
    // A run is deleted with all of its results, of which there may be 100,000.
    since: "finished_at",
    columns: WITH_STATUS,
    batch: 1,
    freesOlder: true,
    isNeeded: joinWithOr("r.baseline", isNamedBy("eval_run", "baseline_run_id")),
    references: [],
  },
  {
    setting: "mcpCallRetentionDays",
    collection: "mcp_calls",
    table: "mcp_call",
    since: "ended_at",
    columns: WITH_STATUS,
    batch: 500,
    freesOlder: false,
    isNeeded: IS_OPEN_EXECUTION,
    references: [],
  },
  {
    setting: "approvalRetentionDays",
    collection: "executions",
    table: "execution",
    since: "ended_at",
    columns: WITH_STATUS,
    batch: 500,
    freesOlder: false,
    isNeeded: joinWithOr(IS_OPEN_EXECUTION, isNamedBy("mcp_call", "id")),
    references: [],
  },
  {
    setting: "approvalRetentionDays",
    collection: "approvals",
    table: "approval",
    since: "decided_at",
    columns: WITH_STATUS,
    batch: 500,
    freesOlder: false,
    isNeeded: isNamedBy("execution", "approval_id"),
    references: [],
  },
];

function joinWithOr(...conditions: string[]): string {
  return conditions.join(" OR ");
}

/** SQL: whether a column of `r` refers to an unfinished row of `table`. */
function namesOpen(table: string, column: string): string {
  return finds(table, `o.id = r.${column} AND o.finished_at IS NULL`);
}

/** SQL: whether a row of `table` refers to `r` in a column. */
function isNamedBy(table: string, column: string): string {
  return finds(table, `o.${column} = r.id`);
}

/** SQL: whether an unfinished row of `table` refers to `r` in a column. */
function isNamedByOpen(table: string, column: string): string {
  return finds(table, `o.${column} = r.id AND o.finished_at IS NULL`);
}

/** SQL that looks up each row by an index. For EXISTS, PostgreSQL may read the whole table instead. */
function finds(table: string, condition: string): string {
  return `COALESCE((SELECT true FROM ${table} o WHERE o.workspace_id = r.workspace_id AND ${condition} LIMIT 1), false)`;
}
