import { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { evalResultBatch } from "./eval-result-input.ts";
import { requireEvalRunState } from "./eval-run-states.ts";
import { lockEvalRun } from "./lock-eval-run.ts";
import { type AddedEvalResults, putEvalResults } from "./put-eval-results.ts";

const shape = z.object({ runId: uuid, results: evalResultBatch });

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
    return putEvalResults(tx, locked, results);
  });
}
