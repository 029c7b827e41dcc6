import { z } from "zod";
import type { EvalRun } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { evalResultBatch } from "./eval-result-input.ts";
import { requireEvalRunState } from "./eval-run-states.ts";
import { type EvalTotals, addToTotals, getTotals, takeFromTotals } from "./eval-totals.ts";
import { lockEvalRun } from "./lock-eval-run.ts";
import { moveEvalRun } from "./move-eval-run.ts";
import { writeEvalResults } from "./write-eval-results.ts";

const shape = z.object({ runId: uuid, results: evalResultBatch });

/** The effect of a batch: the number of results, and of those that replaced another. */
export type AddedEvalResults = { run: EvalRun; accepted: number; updated: number };

/**
 * Adds at most 500 results to a run; the first ones start it. A result replaces the item's earlier one.
 * Repeating a batch changes no result.
 *
 * @throws {DomainError} insufficient_scope without `eval_runs:write`; not_found; validation_failed, also
 *   for two results of one item; invalid_state if the run has finished.
 */
export async function addEvalResults(ctx: Ctx, input: z.input<typeof shape>): Promise<AddedEvalResults> {
  requireScope(ctx, "eval_runs:write");
  const { runId, results } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const locked = await lockEvalRun(tx, runId);
    requireEvalRunState(locked.run, "addResults");
    const { written, replaced } = await writeEvalResults(tx, runId, results);
    const totals = addToTotals(
      takeFromTotals(getTotals(locked.run), replaced),
      results.filter(({ itemKey }) => written.has(itemKey)),
    );
    requireBounds(totals);
    const { run, appended } = await moveEvalRun(tx, locked, {
      data: { ...totals, status: "running", startedAt: locked.run.startedAt ?? locked.now },
      event: "eval_run.updated",
      audit: {
        action: "eval_run.results_added",
        changes: { results: results.length, updated: replaced.length },
      },
    });
    append(tx, appended);
    return { run, accepted: results.length, updated: replaced.length };
  });
}

function requireBounds({ resultCounts, scoreSummaries }: EvalTotals): void {
  if (resultCounts.total > LIMITS.evalItems) {
    throw createFieldError("results", `would exceed ${LIMITS.evalItems} items in the run`);
  }
  if (scoreSummaries.length > LIMITS.scoreNames) {
    throw createFieldError("results", `would exceed ${LIMITS.scoreNames} names of scores in the run`);
  }
}
