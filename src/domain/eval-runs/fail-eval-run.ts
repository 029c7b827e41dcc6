import { z } from "zod";
import type { EvalRun } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { requireEvalRunState } from "./eval-run-states.ts";
import type { LockedEvalRun } from "./lock-eval-run.ts";
import { lockEvalRun } from "./lock-eval-run.ts";
import { type EvalRunMove, moveEvalRun } from "./move-eval-run.ts";

const shape = z.object({
  id: uuid,
  error: z.object({
    code: text(LIMITS.errorCodeLength).default("eval_error"),
    message: text(LIMITS.textLength),
  }),
});

/**
 * Marks a run as failed, without a verdict. Repeating the call changes nothing.
 *
 * @throws {DomainError} insufficient_scope without `eval_runs:write`; not_found; validation_failed;
 *   invalid_state if the run finished otherwise.
 */
export async function failEvalRun(ctx: Ctx, input: z.input<typeof shape>): Promise<EvalRun> {
  requireScope(ctx, "eval_runs:write");
  const { id, error } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const locked = await lockEvalRun(tx, id);
    if (locked.run.status === "failed") return locked.run;
    requireEvalRunState(locked.run, "fail");
    const { run, appended } = await moveEvalRun(tx, locked, {
      ...buildFailedMove(locked, error),
      audit: { action: "eval_run.failed", changes: { error } },
    });
    append(tx, appended);
    return run;
  });
}

/** Builds the move of a failed run. */
export function buildFailedMove(
  { now }: LockedEvalRun,
  error: { code: string; message: string },
): Pick<EvalRunMove, "data" | "event"> {
  return { data: { status: "failed", error, finishedAt: now }, event: "eval_run.failed" };
}
