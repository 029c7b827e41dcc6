import type { Task } from "../../db/generated/client.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { LockedTask } from "./lock-task.ts";
import type { TaskMove } from "./move-task.ts";

/** A status in which a task has finished. */
type TerminalStatus = Extract<Task["status"], "completed" | "failed" | "canceled" | "rejected">;

/** Builds the move that finishes a task. It keeps its last holder. */
export function endTask({ now }: LockedTask, status: TerminalStatus, data: TaskMove["data"] = {}): TaskMove {
  const ended = { status, finishedAt: now, leaseExpiresAt: null, inputDeadlineAt: null };
  return { event: `task.${status}`, data: { ...data, ...ended } };
}

/** The columns of a task whose holder works on: its lease restarts. */
export function workOn({ task, now }: LockedTask) {
  const seconds = task.leaseSeconds ?? LIMITS.leaseSeconds.default;
  return {
    status: "working",
    leaseExpiresAt: new Date(now.getTime() + seconds * 1000),
    inputDeadlineAt: null,
  } as const;
}

/**
 * Builds the move back to the queue for another attempt, not before `runAfter`; canceled instead if
 * cancellation was requested.
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

/** Returns when a failed attempt is retried: after 2^attempt seconds, at most 300. */
export function getRetryTime({ task, now }: LockedTask): Date {
  const seconds = Math.min(2 ** task.attempt, LIMITS.retrySeconds);
  return new Date(now.getTime() + seconds * 1000);
}
