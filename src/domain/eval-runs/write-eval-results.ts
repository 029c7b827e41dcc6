import { NOW, sql } from "../../db/sql.ts";
import { v7 as uuidv7 } from "uuid";
import type { Transaction } from "../kernel/context.ts";
import type { EvalResultInput } from "./eval-result-input.ts";
import type { CountedResult } from "./eval-totals.ts";

/** The effect of a batch: the keys of new and replaced items, and the results that were replaced. */
export type WrittenResults = { written: ReadonlySet<string>; replaced: readonly CountedResult[] };

/** A written item, and its earlier result; null for a new one. */
type WrittenRow = { itemKey: string; before: CountedResult | null };

/** One statement for the whole batch. Results that are already stored are not written or returned. */
const WRITE = sql<WrittenRow>`
WITH given AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($3::jsonb) AS g(item_key text, id uuid, input jsonb, expected jsonb, output jsonb,
    status text, scores jsonb, latency_ms int, cost_usd float8, trace_id text, error text)
), before AS MATERIALIZED (
  SELECT r.item_key, jsonb_build_object('status', r.status, 'scores', r.scores, 'costUsd', r.cost_usd) AS result
  FROM eval_result r JOIN given ON given.item_key = r.item_key
  WHERE r.workspace_id = $1::uuid AND r.eval_run_id = $2::uuid
), written AS (
INSERT INTO eval_result AS kept (workspace_id, eval_run_id, item_key, id, input, expected, output, status, scores,
                                 latency_ms, cost_usd, trace_id, error, created_at)
SELECT $1::uuid, $2::uuid, g.item_key, g.id, COALESCE(g.input, 'null'), g.expected, g.output,
       g.status::eval_result_status, g.scores, g.latency_ms, g.cost_usd, g.trace_id, g.error,
       ${NOW}
FROM given g
ON CONFLICT (workspace_id, eval_run_id, item_key) DO UPDATE
SET (input, expected, output, status, scores, latency_ms, cost_usd, trace_id, error) = (
  EXCLUDED.input, EXCLUDED.expected, EXCLUDED.output, EXCLUDED.status, EXCLUDED.scores, EXCLUDED.latency_ms,
  EXCLUDED.cost_usd, EXCLUDED.trace_id, EXCLUDED.error)
WHERE (kept.input, kept.expected, kept.output, kept.status, kept.scores, kept.latency_ms, kept.cost_usd, kept.trace_id,
       kept.error)
  IS DISTINCT FROM (EXCLUDED.input, EXCLUDED.expected, EXCLUDED.output, EXCLUDED.status, EXCLUDED.scores,
       EXCLUDED.latency_ms, EXCLUDED.cost_usd, EXCLUDED.trace_id, EXCLUDED.error)
RETURNING item_key
)
SELECT written.item_key AS "itemKey", before.result AS before
FROM written LEFT JOIN before ON before.item_key = written.item_key`;

/** Writes a batch of results under the run's lock. A result replaces the item's earlier one. */
export async function writeEvalResults(
  { run, ctx }: Transaction,
  runId: string,
  results: readonly EvalResultInput[],
): Promise<WrittenResults> {
  const rows = await run(WRITE, [ctx.workspaceId, runId, JSON.stringify(results.map(toColumns))]);
  return {
    written: new Set(rows.map(({ itemKey }) => itemKey)),
    replaced: rows.map(({ before }) => before).filter((before) => before !== null),
  };
}

function toColumns({ itemKey, latencyMs, costUsd, traceId, scores, ...same }: EvalResultInput) {
  return {
    ...same,
    id: uuidv7(),
    item_key: itemKey,
    latency_ms: latencyMs,
    cost_usd: costUsd,
    trace_id: traceId,
    scores: scores.map(({ annotatorKind, label, explanation, ...score }) => ({
      ...score,
      ...(label && { label }),
      ...(explanation && { explanation }),
      ...(annotatorKind && { annotator_kind: annotatorKind }),
    })),
  };
}
