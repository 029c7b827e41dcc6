import type { TaskStatus } from "../../db/generated/enums.ts";
import { DomainError } from "../kernel/errors.ts";

/** The statuses in which each thing can be done with a task. Nothing leads out of the others: they are terminal. */
export const TASK_STATES = {
  claim: ["submitted"],
  heartbeat: ["working", "input_required"],
  complete: ["working"],
  fail: ["working", "input_required"],
  release: ["working", "input_required"],
  reject: ["submitted", "working", "input_required"],
  ask: ["working"],
  answer: ["input_required"],
  cancel: ["submitted", "working", "input_required"],
  acknowledgeCancel: ["working", "input_required"],
} as const satisfies Record<string, readonly TaskStatus[]>;

/** Something that can be done with a task. */
export type TaskAct = keyof typeof TASK_STATES;

/** Whether a task of this status has a holder. */
export function hasHolder(status: TaskStatus): boolean {
  return status === "working" || status === "input_required";
}

/**
 * Holds a task's status to what is to be done with it.
 *
 * @throws {DomainError} invalid_state, which names the status and those that would do.
 */
export function requireTaskState({ status }: { status: TaskStatus }, act: TaskAct): void {
  const allowed: readonly TaskStatus[] = TASK_STATES[act];
  if (allowed.includes(status)) return;
  throw new DomainError("invalid_state", `The task is ${status}.`, { currentStatus: status, allowed });
}
