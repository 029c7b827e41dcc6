import type { TaskStatus } from "../../src/db/generated/enums.ts";
import type { TaskActName } from "./task-scene.ts";

/** The result of an action: the new status, or an error code without any change. */
export type Outcome = TaskStatus | "lease_lost" | "invalid_state" | "validation_failed";

/** Whether the holder's actions are rejected alike. */
function rejectHolder(code: Outcome): Partial<Record<TaskActName, Outcome>> {
  return {
    heartbeat: code,
    complete: code,
    fail: code,
    failForGood: code,
    release: code,
    reject: code,
    ask: code,
    acknowledgeCancel: code,
  };
}

/** The whole table: every action in every status. */
export const TASK_TABLE: Record<TaskStatus, Partial<Record<TaskActName, Outcome>>> = {
  submitted: {
    ...rejectHolder("lease_lost"),
    claim: "working",
    rejectUnclaimed: "rejected",
    cancel: "canceled",
    check: "submitted",
    sweep: "submitted",
  },
  working: {
    claim: "working",
    heartbeat: "working",
    complete: "completed",
    fail: "submitted",
    failForGood: "failed",
    release: "submitted",
    reject: "rejected",
    rejectUnclaimed: "validation_failed",
    ask: "input_required",
    check: "auth_required",
    // Only requested: the holder has to acknowledge.
    cancel: "working",
    acknowledgeCancel: "invalid_state",
    sweep: "working",
  },
  input_required: {
    ...rejectHolder("invalid_state"),
    claim: "input_required",
    heartbeat: "input_required",
    fail: "submitted",
    failForGood: "failed",
    release: "submitted",
    reject: "rejected",
    rejectUnclaimed: "validation_failed",
    answer: "working",
    cancel: "input_required",
    check: "input_required",
    sweep: "input_required",
  },
  auth_required: {
    claim: "auth_required",
    heartbeat: "auth_required",
    complete: "completed",
    fail: "submitted",
    failForGood: "failed",
    release: "submitted",
    reject: "rejected",
    rejectUnclaimed: "validation_failed",
    ask: "input_required",
    check: "auth_required",
    // Only requested, and nobody is asked any more.
    cancel: "working",
    acknowledgeCancel: "invalid_state",
    sweep: "auth_required",
  },
  completed: {
    ...rejectHolder("invalid_state"),
    // Repeating the call returns the same result.
    complete: "completed",
    claim: "completed",
    rejectUnclaimed: "invalid_state",
    cancel: "invalid_state",
    check: "completed",
    sweep: "completed",
  },
  failed: {
    ...rejectHolder("invalid_state"),
    failForGood: "failed",
    claim: "failed",
    rejectUnclaimed: "invalid_state",
    cancel: "invalid_state",
    check: "failed",
    sweep: "failed",
  },
  canceled: {
    ...rejectHolder("invalid_state"),
    acknowledgeCancel: "canceled",
    cancel: "canceled",
    claim: "canceled",
    rejectUnclaimed: "invalid_state",
    check: "canceled",
    sweep: "canceled",
  },
  rejected: {
    ...rejectHolder("invalid_state"),
    reject: "rejected",
    rejectUnclaimed: "rejected",
    claim: "rejected",
    cancel: "invalid_state",
    check: "rejected",
    sweep: "rejected",
  },
};
