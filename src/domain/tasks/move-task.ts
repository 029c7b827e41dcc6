import type { Prisma, Task } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import type { ServerSpan } from "../kernel/server-span.ts";
import { questionSpans } from "../messages/question-span.ts";
import type { LockedTask } from "./lock-task.ts";
import { cancelApprovalsOfTask } from "../approvals/cancel-pending-approvals.ts";
import { taskEvent } from "./task-event.ts";
import { hasHolder } from "./task-states.ts";

/** A change of a task, with its event. */
export type TaskMove = {
  /** The columns to change. `generation` and `updatedAt` change automatically. */
  data: Prisma.TaskUncheckedUpdateInput;
  /** Such as `task.completed`. */
  event: string;
  /** The audit event, if a person makes the change: such as `task.canceled`, with the reason. */
  audit?: { action: string; changes?: Record<string, unknown> };
};

/** What a transaction that changes a task must append. */
export type TaskAppendContent = Required<
  Pick<AppendContent, "events" | "totals" | "conversations" | "audit">
>;

/**
 * Changes a locked task and increments its generation. People are not asked any more about one that ends.
 *
 * @returns the task, and what to append.
 */
export async function moveTask(
  tx: Transaction,
  { task, now }: LockedTask,
  { data, event, audit }: TaskMove,
): Promise<{ task: Task; appended: TaskAppendContent }> {
  const { db, ctx } = tx;
  const moved = await db.task.update({
    where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: task.id } },
    data: { ...data, generation: task.generation + 1, updatedAt: now },
  });
  const ended = await endQuestion(tx, task, moved);
  const isLast = moved.finishedAt !== null && moved.approvalId !== null;
  const cancelled = isLast ? await cancelApprovalsOfTask(tx, task.id) : { events: [], totals: [] };
  const told = taskEvent(event, moved, task.claimedByAgentId);
  const isAudited = audit !== undefined && ctx.actor.type !== "agent";
  return {
    task: moved,
    appended: {
      events: [{ ...told, spans: [...(told.spans ?? []), ...ended.spans] }, ...cancelled.events],
      totals: [
        { collection: "tasks", from: task.status, to: moved.status },
        ...ended.totals,
        ...cancelled.totals,
      ],
      conversations: ended.conversations,
      audit: isAudited ? [{ ...audit, targetType: "task", targetId: task.id }] : [],
    },
  };
}

/** The question on which a task waited waits no more when the task goes on or ends. */
async function endQuestion(
  { db, ctx }: Transaction,
  { status, questionId, contextId }: Task,
  moved: Task,
): Promise<Pick<TaskAppendContent, "totals" | "conversations"> & { spans: ServerSpan[] }> {
  const isOver = status === "input_required" && moved.status !== "input_required";
  if (!isOver || questionId === null) return { totals: [], conversations: [], spans: [] };
  const questions = await db.message.updateManyAndReturn({
    where: { workspaceId: ctx.workspaceId, id: questionId },
    data: { waiting: false },
  });
  const end = { at: moved.updatedAt, isAnswered: hasHolder(moved.status) };
  return {
    totals: [{ collection: "messages", from: "waiting", to: null }],
    conversations: [{ contextId, messages: 0 }],
    spans: questions.flatMap((question) => questionSpans(question, end)),
  };
}
