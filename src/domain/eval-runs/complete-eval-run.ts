import { z } from "zod";
import type { EvalRun } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { COUNT_CHANGES } from "./eval-changes.ts";
import { type EvalGate, evaluateGate } from "./eval-gate.ts";
import { requireEvalRunState } from "./eval-run-states.ts";
import { recountTotals } from "./eval-totals.ts";
import { lockEvalRun } from "./lock-eval-run.ts";
import { evalRunEvent, moveEvalRun } from "./move-eval-run.ts";

const shape = z.object({ id: uuid });

/**
 * Completes a run: compares its results with its baseline, evaluates its gate and freezes it. Repeating the
 * call changes nothing.
 *
 * @throws {DomainError} insufficient_scope without `eval_runs:write`; not_found; invalid_state if the run
 *   has no results or finished otherwise.
 */
export async function completeEvalRun(ctx: Ctx, input: z.input<typeof shape>): Promise<EvalRun> {
  requireScope(ctx, "eval_runs:write");
  const { id } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const locked = await lockEvalRun(tx, id);
    if (locked.run.status === "completed") return locked.run;
    requireEvalRunState(locked.run, "complete");
    const totals = await recountTotals(tx, id);
    const regressions = await countRegressions(tx, locked.run);
    // createEvalRun() has validated the gate.
    const { verdict, reasons } = evaluateGate(locked.run.gate as EvalGate | null, { ...totals, regressions });
    const { run, appended } = await moveEvalRun(tx, locked, {
      data: { ...totals, status: "completed", verdict, verdictReasons: reasons, finishedAt: locked.now },
      event: "eval_run.completed",
      audit: { action: "eval_run.completed", changes: { verdict } },
    });
    if ((regressions ?? 0) > 0) {
      appended.events.push(evalRunEvent("eval_run.regressed", run, { regressions }));
    }
    append(tx, appended);
    return run;
  });
}

/** Counts the items that passed in the baseline and not in this run; null without a baseline. */
async function countRegressions(
  { run, ctx }: Transaction,
  { id, baselineRunId }: EvalRun,
): Promise<number | null> {
  if (baselineRunId === null) return null;
  const values = [ctx.workspaceId, id, baselineRunId];
  const [counts] = await run(COUNT_CHANGES, values);
  return counts?.regressions ?? 0;
}
