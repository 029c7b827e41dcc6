/** The version that we speak. Patches of it change nothing on the wire. */
export const PROTOCOL_VERSION = "1.0";

/** The media type of the binding HTTP+JSON. */
export const A2A_TYPE = "application/a2a+json";

/** The states of a task, by our status. */
export const STATES = {
  SUBMITTED: "TASK_STATE_SUBMITTED",
  WORKING: "TASK_STATE_WORKING",
  INPUT_REQUIRED: "TASK_STATE_INPUT_REQUIRED",
  AUTH_REQUIRED: "TASK_STATE_AUTH_REQUIRED",
  COMPLETED: "TASK_STATE_COMPLETED",
  FAILED: "TASK_STATE_FAILED",
  CANCELED: "TASK_STATE_CANCELED",
  REJECTED: "TASK_STATE_REJECTED",
} as const;

export type Status = keyof typeof STATES;

const OPEN: ReadonlySet<Status> = new Set<Status>([
  "SUBMITTED",
  "WORKING",
  "INPUT_REQUIRED",
  "AUTH_REQUIRED",
]);

/** Whether a task has ended: nothing changes it any more. */
export function isTerminal({ status }: { status: Status }): boolean {
  return !OPEN.has(status);
}

/** Whether nothing happens with a task unless somebody sends something. */
export function isSettled({ status }: { status: Status }): boolean {
  return status === "INPUT_REQUIRED" || isTerminal({ status });
}

/** Whether a task has ended or waits for somebody, here or elsewhere: callers are answered then. */
export function isInterrupted(task: { status: Status }): boolean {
  return task.status === "AUTH_REQUIRED" || isSettled(task);
}

/** Members of metadata with a meaning here. */
export const META = {
  queue: "agent-ops/queue",
  title: "agent-ops/title",
  progress: "agent-ops/progress",
  cancelRequested: "agent-ops/cancelRequested",
  messageId: "agent-ops/messageId",
  referenceTaskIds: "agent-ops/referenceTaskIds",
} as const;
