import type { Transaction } from "../kernel/context.ts";
import { LIMITS } from "../kernel/limits.ts";
import { lockTask } from "./lock-task.ts";
import { type TaskAppendContent, moveTask } from "./move-task.ts";

/**
 * Resumes a task whose holder waits for the answer to this question: the lease restarts. Answers to other
 * questions about the task change nothing.
 *
 * @returns what the transaction must append.
 */
export async function answerTask(
  tx: Transaction,
  taskId: string,
  questionId: string,
): Promise<Pick<TaskAppendContent, "events" | "totals">> {
  const locked = await lockTask(tx, taskId);
  const { task, now } = locked;
  const isWaiting = task.status === "input_required" && task.questionId === questionId;
  if (!isWaiting) return { events: [], totals: [] };
  const seconds = task.leaseSeconds ?? LIMITS.leaseSeconds.default;
  const leaseExpiresAt = new Date(now.getTime() + seconds * 1000);
  const data = { status: "working" as const, leaseExpiresAt, inputDeadlineAt: null };
  const { appended } = await moveTask(tx, locked, { event: "task.updated", data });
  return appended;
}
