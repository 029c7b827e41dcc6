import type { Transaction } from "../context.ts";
import { LIMITS } from "../limits.ts";
import { type LockedTask, lockTask } from "./lock-task.ts";
import { type TaskAppended, moveTask } from "./move-task.ts";

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
): Promise<Pick<TaskAppended, "events" | "totals">> {
  const locked = await lockTask(tx, taskId);
  const { task, now } = locked;
  const waits = task.status === "input_required" && (await questionOf(tx, locked)) === questionId;
  if (!waits) return { events: [], totals: [] };
  const seconds = task.leaseSeconds ?? LIMITS.leaseSeconds.default;
  const leaseExpiresAt = new Date(now.getTime() + seconds * 1000);
  const data = { status: "working" as const, leaseExpiresAt, inputDeadlineAt: null };
  const { appended } = await moveTask(tx, locked, { event: "task.updated", data });
  return appended;
}

/** The question that a task waits on is its holder's last: while it waits, its holder can't ask another. */
async function questionOf({ db, ctx }: Transaction, { task }: LockedTask): Promise<string | null> {
  const [question] = await db.$queryRawUnsafe<{ id: string }[]>(
    `SELECT id FROM message
     WHERE workspace_id = $1::uuid AND task_id = $2::uuid AND kind = 'question' AND sender ->> 'id' = $3
     ORDER BY created_at DESC, id DESC LIMIT 1`,
    ...[ctx.workspaceId, task.id, task.claimedByAgentId],
  );
  return question?.id ?? null;
}
