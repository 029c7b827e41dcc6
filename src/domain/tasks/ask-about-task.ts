import type { Transaction } from "../kernel/context.ts";
import { DomainError, createFieldError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { requireLease } from "./lease.ts";
import { type LockedTask, lockTask } from "./lock-task.ts";
import { type TaskAppendContent, moveTask } from "./move-task.ts";
import { hasHolder, requireTaskState } from "./task-states.ts";

type Question = {
  id: string;
  taskId: string;
  leaseToken?: string | null | undefined;
  inputTimeoutSeconds?: number | null | undefined;
};

/**
 * Lets a task wait for the answer to its holder's question: the lease does not expire meanwhile. Questions
 * from others change nothing.
 *
 * @returns what the transaction must append.
 * @throws {DomainError} insufficient_scope without `tasks:work`; lease_lost; invalid_state if the task
 *   already waits, or its cancellation was requested; validation_failed for a holder's question without its
 *   lease.
 */
export async function askAboutTask(
  tx: Transaction,
  { id, taskId, leaseToken, inputTimeoutSeconds }: Question,
): Promise<Pick<TaskAppendContent, "events" | "totals">> {
  const locked = await lockTask(tx, taskId);
  if (typeof leaseToken !== "string") {
    requireNoHolder(tx, locked);
    return { events: [], totals: [] };
  }
  requireScope(tx.ctx, "tasks:work");
  requireLease(locked, tx.ctx.actor, { act: "ask", leaseToken });
  const { cancelRequestedAt, status } = locked.task;
  if (cancelRequestedAt !== null) {
    throw new DomainError(
      "invalid_state",
      "Cancellation of this task was requested. Acknowledge it instead.",
      { currentStatus: status },
    );
  }
  const { appended } = await moveTask(tx, locked, {
    event: "task.updated",
    data: {
      status: "input_required",
      leaseExpiresAt: null,
      questionId: id,
      inputDeadlineAt: getDeadline(locked.now, inputTimeoutSeconds),
    },
  });
  return appended;
}

/** A holder must give the lease, so that a former holder can't stop the next one's work. */
function requireNoHolder({ ctx: { actor } }: Transaction, { task }: LockedTask): void {
  const isHolder = actor.type === "agent" && actor.id === task.claimedByAgentId && hasHolder(task.status);
  if (!isHolder) return;
  requireTaskState(task, "ask");
  throw createFieldError("leaseToken", "is required to ask about a task that you hold");
}

function getDeadline(now: Date, seconds: number | null | undefined): Date | null {
  return typeof seconds === "number" ? new Date(now.getTime() + seconds * 1000) : null;
}
