import type { TaskStatus } from "../../db/generated/enums.ts";
import { DomainError } from "../kernel/errors.ts";

/** The statuses in which each action on a task is allowed. A task in any other status has finished. */
export const TASK_STATES = {
  claim: ["submitted"],
  heartbeat: ["working", "input_required", "auth_required"],
  complete: ["working", "auth_required"],
  fail: ["working", "input_required", "auth_required"],
  release: ["working", "input_required", "auth_required"],
  reject: ["submitted", "working", "input_required", "auth_required"],
  ask: ["working", "auth_required"],
  answer: ["input_required"],
  cancel: ["submitted", "working", "input_required", "auth_required"],
  acknowledgeCancel: ["working", "input_required", "auth_required"],
} as const satisfies Record<string, readonly TaskStatus[]>;

export type TaskAct = keyof typeof TASK_STATES;

/** Whether a task with this status has a holder. */
export function hasHolder(status: TaskStatus): boolean {
  return HELD.has(status);
}

const HELD: ReadonlySet<TaskStatus> = new Set(["working", "input_required", "auth_required"]);

/**
 * Checks that a task's status allows an action.
 *
 * @throws {DomainError} invalid_state; names the status and the allowed ones.
 */
export function requireTaskState({ status }: { status: TaskStatus }, act: TaskAct): void {
  const allowed: readonly TaskStatus[] = TASK_STATES[act];
  if (allowed.includes(status)) return;
  throw new DomainError("invalid_state", `The task is ${status}.`, { currentStatus: status, allowed });
}
