import type { Transaction } from "../kernel/context.ts";
import { LIMITS } from "../kernel/limits.ts";
import { lockTask } from "./lock-task.ts";
import { type TaskAppendContent, moveTask } from "./move-task.ts";

/**
 * Lets a task go on whose holder waited for the answer to this question: the lease begins anew. The answer
 * to any other question about it changes nothing of it.
 *
 * @returns what the transaction is to append.
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
