import type { Task } from "../../db/generated/client.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { LockedTask } from "./lock-task.ts";
import type { TaskMove } from "./move-task.ts";

/** A status that a task ends in. */
type TerminalStatus = Extract<Task["status"], "completed" | "failed" | "canceled" | "rejected">;

/** The end of a task. Who held it stays known. */
export function endTask({ now }: LockedTask, status: TerminalStatus, data: TaskMove["data"] = {}): TaskMove {
  const ended = { status, finishedAt: now, leaseExpiresAt: null, inputDeadlineAt: null };
  return { event: `task.${status}`, data: { ...data, ...ended } };
}

/**
 * The way back into the queue, for another attempt: not before `runAfter`. A task whose cancel was asked
 * for is canceled instead.
 */
export function requeueTask(
  locked: LockedTask,
  { event = "task.updated", data = {} }: Partial<TaskMove> = {},
): TaskMove {
  if (locked.task.cancelRequestedAt !== null) return endTask(locked, "canceled", data);
  const free = {
    status: "submitted",
    claimedByAgentId: null,
    leaseExpiresAt: null,
    inputDeadlineAt: null,
  } as const;
  return { event, data: { ...data, ...free, progress: null, statusMessage: null } };
}

/** When a task may be tried again after an attempt that failed: 2^attempt seconds later, at most 300. */
export function getRetryTime({ task, now }: LockedTask): Date {
  const seconds = Math.min(2 ** task.attempt, LIMITS.retrySeconds);
  return new Date(now.getTime() + seconds * 1000);
}
