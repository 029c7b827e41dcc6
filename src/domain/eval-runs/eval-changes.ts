import { sql } from "../../db/sql.ts";
/** The kinds of change between two runs, as conditions on {@link EVAL_RESULT_PAIRS}. */
export const EVAL_CHANGES = {
  /** Passed in the baseline, and failed or errored in the run. Skipped results don't count. */
  regressions: `"from" = 'passed' AND "to" IN ('failed', 'errored')`,
  improvements: `"from" IN ('failed', 'errored') AND "to" = 'passed'`,
  added: `"from" IS NULL`,
  removed: `"to" IS NULL`,
} as const;

export type EvalChangeKind = keyof typeof EVAL_CHANGES;

/** The number of items per kind of change. */
export type EvalChangeCounts = Record<EvalChangeKind, number> & {
  /** Items in both runs, neither better nor worse. */
  unchanged: number;
};

/**
 * The items of the run $2 and the baseline $3 in the workspace $1, with both statuses. A full join is
 * always hashed or merged: with other joins PostgreSQL, lacking statistics on new results, would choose a
 * nested loop.
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

/** Counts {@link EVAL_RESULT_PAIRS} as one row of {@link EvalChangeCounts}. */
export const COUNT_CHANGES = sql<EvalChangeCounts>`
WITH counted AS (
  SELECT ${Object.entries(EVAL_CHANGES).map(buildCountSql).join(", ")}, count(*)::int AS total FROM (${EVAL_RESULT_PAIRS}) pairs
)
SELECT regressions, improvements, added, removed,
       total - regressions - improvements - added - removed AS unchanged
FROM counted`;
