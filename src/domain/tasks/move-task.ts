import type { Prisma, Task } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent, EventInput } from "../kernel/events.ts";
import type { LockedTask } from "./lock-task.ts";

/** What changes of a task, and how that is told. */
export type TaskMove = {
  /** The columns that change; `generation` and `updatedAt` change by themselves. */
  data: Prisma.TaskUncheckedUpdateInput;
  /** Such as `task.completed`. */
  event: string;
  /** For the trail, where a person does it: such as `task.canceled`, and why. */
  audit?: { action: string; changes?: Record<string, unknown> };
};

/** What a transaction that moved a task is to append. */
export type TaskAppendContent = Required<
  Pick<AppendContent, "events" | "totals" | "conversations" | "audit">
>;

/** Changes a locked task and counts its generation. @returns the task, and what is to be appended for it. */
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
  const isAudited = audit !== undefined && ctx.actor.type !== "agent";
  return {
    task: moved,
    appended: {
      events: [taskEvent(event, moved, task.claimedByAgentId)],
      totals: [{ collection: "tasks", from: task.status, to: moved.status }, ...ended.totals],
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
): Promise<Pick<TaskAppendContent, "totals" | "conversations">> {
  const isOver = status === "input_required" && moved.status !== "input_required";
  if (!isOver || questionId === null) return { totals: [], conversations: [] };
  await db.message.updateMany({
    where: { workspaceId: ctx.workspaceId, id: questionId },
    data: { waiting: false },
  });
  return {
    totals: [{ collection: "messages", from: "waiting", to: null }],
    conversations: [{ contextId, messages: 0 }],
  };
}

/** What is told of a task that changed: whom it concerns is its holder, or who held it until then. */
export function taskEvent(type: string, task: Task, claimedBy: string | null = null): EventInput {
  return {
    type,
    subjectType: "task",
    subjectId: task.id,
    agentId: task.claimedByAgentId ?? claimedBy ?? task.assigneeAgentId,
    data: {
      generation: task.generation,
      status: task.status,
      queue: task.queue,
      attempt: task.attempt,
      claimed_by_agent_id: task.claimedByAgentId,
      context_id: task.contextId,
    },
  };
}
