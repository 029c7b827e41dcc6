import type { Transaction } from "../kernel/context.ts";
import { lockTask } from "./lock-task.ts";
import { type TaskAppendContent, moveTask } from "./move-task.ts";
import { findOpenApproval } from "./open-approval.ts";
import { workOn } from "./task-moves.ts";

/**
 * Resumes a task whose holder waits for the answer to this question: the lease restarts, unless it waits for an
 * approval too. Answers to other
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
  const { task } = locked;
  const isWaiting = task.status === "input_required" && task.questionId === questionId;
  if (!isWaiting) return { events: [], totals: [] };
  const open = await findOpenApproval(tx, task);
  const data = open === null ? workOn(locked) : { ...WAITING, ...open };
  const { appended } = await moveTask(tx, locked, { event: "task.updated", data });
  return appended;
}

const WAITING = { status: "auth_required", leaseExpiresAt: null, inputDeadlineAt: null } as const;
