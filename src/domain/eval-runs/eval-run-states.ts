import type { EvalRunStatus } from "../../db/generated/enums.ts";
import { DomainError } from "../kernel/errors.ts";

/** The statuses in which each action on a run is allowed. */
export const EVAL_RUN_STATES = {
  addResults: ["queued", "running"],
  complete: ["running"],
  fail: ["queued", "running"],
  cancel: ["queued", "running"],
  promote: ["completed"],
} as const satisfies Record<string, readonly EvalRunStatus[]>;

export type EvalRunAct = keyof typeof EVAL_RUN_STATES;

/**
 * Checks that a run's status allows an action.
 *
 * @throws {DomainError} invalid_state; names the status and the allowed ones.
 */
export function requireEvalRunState({ status }: { status: EvalRunStatus }, act: EvalRunAct): void {
  const allowed: readonly EvalRunStatus[] = EVAL_RUN_STATES[act];
  if (allowed.includes(status)) return;
  throw new DomainError("invalid_state", `The evaluation run is ${status}.`, {
    currentStatus: status,
    allowed,
  });
}
