import { sql } from "../../db/sql.ts";
/** A way in which an item's results differ between two runs, as a condition on {@link EVAL_RESULT_PAIRS}. */
export const EVAL_CHANGES = {
  /** Passed in the baseline, and does not any more: what was skipped tells nothing. */
  regressions: `"from" = 'passed' AND "to" IN ('failed', 'errored')`,
  improvements: `"from" IN ('failed', 'errored') AND "to" = 'passed'`,
  added: `"from" IS NULL`,
  removed: `"to" IS NULL`,
} as const;

/** A name of {@link EVAL_CHANGES}. */
export type EvalChangeKind = keyof typeof EVAL_CHANGES;

/** How many items of two runs differ, and how. */
export type EvalChangeCounts = Record<EvalChangeKind, number> & {
  /** Items of both that neither got worse nor better. */
  unchanged: number;
};

/**
 * The items of the run $2 and the baseline $3 in the workspace $1, with their statuses in both. A full join is
 * hashed or merged: of results that were just written PostgreSQL knows no numbers, and would go through all of
 * the one for each of the other.
 */
export const EVAL_RESULT_PAIRS = `
SELECT COALESCE(r.item_key, b.item_key) AS "itemKey", b.status AS "from", r.status AS "to",
       r.trace_id AS "traceId", b.trace_id AS "baselineTraceId"
FROM ${buildResultsSql("$2")} r FULL JOIN ${buildResultsSql("$3")} b ON b.item_key = r.item_key`;

function buildResultsSql(run: string): string {
  return `(SELECT * FROM eval_result WHERE workspace_id = $1::uuid AND eval_run_id = ${run}::uuid)`;
}

function buildCountSql([kind, condition]: [string, string]): string {
  return `count(*) FILTER (WHERE ${condition})::int AS ${kind}`;
}

/** Counts what {@link EVAL_RESULT_PAIRS} come to: one row of {@link EvalChangeCounts}. */
export const COUNT_CHANGES = sql<EvalChangeCounts>`
WITH counted AS (
  SELECT ${Object.entries(EVAL_CHANGES).map(buildCountSql).join(", ")}, count(*)::int AS total FROM (${EVAL_RESULT_PAIRS}) pairs
)
SELECT regressions, improvements, added, removed,
       total - regressions - improvements - added - removed AS unchanged
FROM counted`;
