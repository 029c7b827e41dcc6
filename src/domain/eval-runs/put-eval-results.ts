import type { EvalRun } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { EvalResultInput } from "./eval-result-input.ts";
import { type EvalTotals, addToTotals, getTotals, takeFromTotals } from "./eval-totals.ts";
import type { LockedEvalRun } from "./lock-eval-run.ts";
import { moveEvalRun } from "./move-eval-run.ts";
import { writeEvalResults } from "./write-eval-results.ts";

/** The effect of a batch: the number of results, and of those that replaced another. */
export type AddedEvalResults = { run: EvalRun; accepted: number; updated: number };

/**
 * Writes results of a locked run that takes them, with its totals and its event: the transaction's last statement.
 *
 * @throws {DomainError} validation_failed if the run would have too many items or names of scores.
 */
export async function putEvalResults(
  tx: Transaction,
  locked: LockedEvalRun,
  results: readonly EvalResultInput[],
): Promise<AddedEvalResults> {
  const { written, replaced } = await writeEvalResults(tx, locked.run.id, results);
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
}

function requireBounds({ resultCounts, scoreSummaries }: EvalTotals): void {
  if (resultCounts.total > LIMITS.evalItems) {
    throw createFieldError("results", `would exceed ${LIMITS.evalItems} items in the run`);
  }
  if (scoreSummaries.length > LIMITS.scoreNames) {
    throw createFieldError("results", `would exceed ${LIMITS.scoreNames} names of scores in the run`);
  }
}
