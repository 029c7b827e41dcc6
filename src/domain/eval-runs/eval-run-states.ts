import type { EvalRunStatus } from "../../db/generated/enums.ts";
import { DomainError } from "../kernel/errors.ts";

/** The statuses in which each thing can be done with a run. Of the others only a baseline is made. */
export const EVAL_RUN_STATES = {
  addResults: ["queued", "running"],
  complete: ["running"],
  fail: ["queued", "running"],
  cancel: ["queued", "running"],
  promote: ["completed"],
} as const satisfies Record<string, readonly EvalRunStatus[]>;

/** Something that can be done with a run. */
export type EvalRunAct = keyof typeof EVAL_RUN_STATES;

/**
 * Holds a run's status to what is to be done with it.
 *
 * @throws {DomainError} invalid_state, which names the status and those that would do.
 */
export function requireEvalRunState({ status }: { status: EvalRunStatus }, act: EvalRunAct): void {
  const allowed: readonly EvalRunStatus[] = EVAL_RUN_STATES[act];
  if (allowed.includes(status)) return;
  throw new DomainError("invalid_state", `The evaluation run is ${status}.`, {
    currentStatus: status,
    allowed,
  });
}
