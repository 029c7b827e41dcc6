import { z } from "zod";
import type { EvalRun } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { requireEvalRunState } from "./eval-run-states.ts";
import { lockEvalRun } from "./lock-eval-run.ts";
import { moveEvalRun } from "./move-eval-run.ts";

const shape = z.object({ id: uuid, reason: text(LIMITS.textLength).nullish() });

/**
 * Cancels a run that has not finished, keeping its results. Repeating the call changes nothing.
 *
 * @throws {DomainError} insufficient_scope without `eval_runs:write`; not_found; validation_failed;
 *   invalid_state if the run finished otherwise.
 */
export async function cancelEvalRun(ctx: Ctx, input: z.input<typeof shape>): Promise<EvalRun> {
  requireScope(ctx, "eval_runs:write");
  const { id, reason } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const locked = await lockEvalRun(tx, id);
    if (locked.run.status === "canceled") return locked.run;
    requireEvalRunState(locked.run, "cancel");
    const { run, appended } = await moveEvalRun(tx, locked, {
      data: { status: "canceled", finishedAt: locked.now },
      event: "eval_run.canceled",
      audit: { action: "eval_run.canceled", changes: { reason: reason ?? null } },
    });
    append(tx, appended);
    return run;
  });
}
