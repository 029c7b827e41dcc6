import { sql } from "../../db/sql.ts";
import type { EvalRun } from "../../db/generated/client.ts";
import type { EvalResultStatus } from "../../db/generated/enums.ts";
import type { Transaction } from "../kernel/context.ts";

/**
 * The numbers of a run's results, under OpenAI's names. `total` includes skipped results, which are not in
 * `passed`, `failed` or `errored`.
 */
export type EvalResultCounts = { total: number; passed: number; failed: number; errored: number };

/**
 * Summarizes the scores of one name, over the `n` results that have it. Of a run that is not completed, `min`
 * and `max` cover replaced results too.
 */
export type EvalScoreSummary = { name: string; mean: number; min: number; max: number; n: number };

/** The totals of a run's results. */
export type EvalTotals = {
  resultCounts: EvalResultCounts;
  scoreSummaries: EvalScoreSummary[];
  /** The sum of the results' costs; null if none has any. */
  costUsd: number | null;
};

/** The parts of a result that totals use. */
export type CountedResult = {
  status: EvalResultStatus;
  scores: readonly { name: string; value: number }[];
  costUsd?: number | null | undefined;
};

/** Returns a run's stored totals. */
export function getTotals({ resultCounts, scoreSummaries, costUsd }: EvalRun): EvalTotals {
  return {
    // Only this module's totals are written there.
    resultCounts: resultCounts as EvalResultCounts,
    scoreSummaries: scoreSummaries as EvalScoreSummary[],
    costUsd,
  };
}

/** Adds results to totals, at a cost independent of the run's size. */
export function addToTotals(
  { resultCounts, scoreSummaries, costUsd }: EvalTotals,
  results: readonly CountedResult[],
): EvalTotals {
  const counts = { ...resultCounts };
  const summaries = new Map(scoreSummaries.map((summary) => [summary.name, summary]));
  let cost = costUsd;
  for (const result of results) {
    counts.total++;
    if (result.status !== "skipped") counts[result.status]++;
    if (typeof result.costUsd === "number") cost = (cost ?? 0) + result.costUsd;
    for (const score of result.scores) summaries.set(score.name, addScore(summaries.get(score.name), score));
  }
  return { resultCounts: counts, scoreSummaries: sortByName([...summaries.values()]), costUsd: cost };
}

/**
 * Takes replaced results from totals, at a cost independent of the run's size. `min` and `max` still cover
 * them, until the run completes.
 */
export function takeFromTotals(
  { resultCounts, scoreSummaries, costUsd }: EvalTotals,
  results: readonly CountedResult[],
): EvalTotals {
  const counts = { ...resultCounts };
  const summaries = new Map(scoreSummaries.map((summary) => [summary.name, summary]));
  let cost = costUsd;
  for (const result of results) {
    counts.total--;
    if (result.status !== "skipped") counts[result.status]--;
    if (typeof result.costUsd === "number") cost = Math.max(0, (cost ?? 0) - result.costUsd);
    for (const score of result.scores) takeScore(summaries, score);
  }
  return { resultCounts: counts, scoreSummaries: [...summaries.values()], costUsd: cost };
}

function takeScore(
  summaries: Map<string, EvalScoreSummary>,
  { name, value }: { name: string; value: number },
): void {
  const summary = summaries.get(name);
  if (summary === undefined) return;
  const { mean, n } = summary;
  if (n <= 1) summaries.delete(name);
  else summaries.set(name, { ...summary, mean: mean - (value - mean) / (n - 1), n: n - 1 });
}

function addScore(
  summary: EvalScoreSummary | undefined,
  { name, value }: { name: string; value: number },
): EvalScoreSummary {
  const { mean, min, max, n } = summary ?? { mean: 0, min: value, max: value, n: 0 };
  return {
    name,
    mean: mean + (value - mean) / (n + 1),
    min: Math.min(min, value),
    max: Math.max(max, value),
    n: n + 1,
  };
}

function sortByName(summaries: EvalScoreSummary[]): EvalScoreSummary[] {
  return summaries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Computes means of decimals, as they were sent: in binary fractions, ten times 0.1 would have a mean below
 * it.
 */
const RECOUNT = sql<EvalTotals>`
WITH results AS MATERIALIZED (
  SELECT status, scores, cost_usd FROM eval_result WHERE workspace_id = $1::uuid AND eval_run_id = $2::uuid
), scored AS (
  SELECT s.name, round(avg(s.value), 30)::float8 AS mean, min(s.value)::float8 AS min, max(s.value)::float8 AS max,
    count(*)::int AS n
  FROM results, jsonb_to_recordset(results.scores) AS s(name text, value numeric) GROUP BY s.name
)
SELECT jsonb_build_object('total', count(*), 'passed', count(*) FILTER (WHERE status = 'passed'),
         'failed', count(*) FILTER (WHERE status = 'failed'),
         'errored', count(*) FILTER (WHERE status = 'errored')) AS "resultCounts",
       sum(cost_usd) AS "costUsd",
       (SELECT COALESCE(jsonb_agg(to_jsonb(scored)), '[]') FROM scored) AS "scoreSummaries"
FROM results`;

/** Recomputes a run's totals from all of its results. */
export async function recountTotals({ run, ctx }: Transaction, runId: string): Promise<EvalTotals> {
  const [totals] = await run(RECOUNT, [ctx.workspaceId, runId]);
  if (totals === undefined) throw new Error("an aggregate returned no row");
  return { ...totals, scoreSummaries: sortByName(totals.scoreSummaries) };
}
