import { TABLES, selectList } from "../../../db/columns.ts";
import { sql } from "../../../db/sql.ts";
import type { EvalResult } from "../../../db/generated/client.ts";
import type { EvalResultInput } from "../../eval-runs/eval-result-input.ts";
import { requireEvalRunState } from "../../eval-runs/eval-run-states.ts";
import { lockEvalRun } from "../../eval-runs/lock-eval-run.ts";
import { putEvalResults } from "../../eval-runs/put-eval-results.ts";
import type { Ctx, Transaction } from "../../kernel/context.ts";
import { DomainError } from "../../kernel/errors.ts";
import { groupBy } from "../../kernel/group-by.ts";
import { hasScope } from "../../kernel/has-scope.ts";
import { type EvaluatedItem, mergeEvaluations } from "./merge-evaluations.ts";
import type { SentScore } from "./trace-score.ts";

/**
 * Makes evaluations that name an item of a run its result, for senders with `eval_runs:write`: their scores are added to
 * those of the result. A repeated evaluation changes nothing.
 *
 * @returns why some are no results. They are scores of their traces nevertheless.
 */
export async function reportEvaluations(ctx: Ctx, scores: readonly SentScore[]): Promise<string[]> {
  const items = groupByItem(scores);
  if (items.length === 0) return [];
  if (!hasScope(ctx, "eval_runs:write")) return ["results of evaluations need the scope eval_runs:write"];
  const problems: string[] = [];
  for (const [runId, ofRun] of groupBy(items, (item) => item.runId)) {
    const problem = await reportItems(ctx, runId, ofRun);
    if (problem !== null) problems.push(`evaluation run ${runId}: ${problem}`);
  }
  return problems;
}

function groupByItem(scores: readonly SentScore[]): EvaluatedItem[] {
  const items = groupBy(scores, ({ item }) => (item === null ? null : `${item.runId} ${item.itemKey}`));
  return [...items.values()].flatMap((ofItem) => {
    const [{ item, traceId } = { item: null, traceId: "" }] = ofItem;
    return item === null ? [] : [{ ...item, traceId, scores: ofItem }];
  });
}

/** What a run doesn't take must not keep its telemetry from being stored. */
async function reportItems(ctx: Ctx, runId: string, items: readonly EvaluatedItem[]): Promise<string | null> {
  try {
    return await ctx.transaction(async (tx) => {
      const locked = await lockEvalRun(tx, runId);
      requireEvalRunState(locked.run, "addResults");
      const results = await mergeAll(tx, runId, items);
      if (results.length > 0) await putEvalResults(tx, locked, results);
      return results.length < items.length ? "no evaluation of an item says pass or fail" : null;
    });
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

async function mergeAll(
  tx: Transaction,
  runId: string,
  items: readonly EvaluatedItem[],
): Promise<EvalResultInput[]> {
  const keys = items.map(({ itemKey }) => itemKey);
  const stored = await tx.run(STORED, [tx.ctx.workspaceId, runId, keys]);
  const earlier = new Map(stored.map((result) => [result.itemKey, result]));
  return items.flatMap((item) => mergeEvaluations(item, earlier.get(item.itemKey) ?? null) ?? []);
}

const STORED = sql<EvalResult>`
SELECT ${selectList("r", TABLES.evalResult)} FROM eval_result r
WHERE r.workspace_id = $1::uuid AND r.eval_run_id = $2::uuid AND r.item_key = ANY($3::text[])`;
