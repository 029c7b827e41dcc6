import type { Message } from "../../../db/generated/client.ts";
import type { Transaction } from "../../../domain/context.ts";
import type { Chapter } from "../chapter.ts";
import { insertRows } from "../insert-rows.ts";
import { createRandom } from "../random.ts";
import type { World } from "../world.ts";
import { conversationAt } from "./conversation-thread.ts";
import { taskThreadOf } from "./task-thread.ts";
import { TASKS, taskAt } from "./tasks.ts";

/** A conversation of its own after so many tasks. */
const TASKS_PER_CONVERSATION = 11;

/** The messages: those about each task, and conversations between. */
export const messages: Chapter<Message> = {
  collection: "messages",
  table: "message",
  units: TASKS,
  rowsOf: messagesAround,
  insert: insertMessages,
  eventOf: ({ id, contextId, taskId, kind, recipientAgentId }) => ({
    type: "message.created",
    subjectType: "message",
    subjectId: id,
    agentId: recipientAgentId,
    data: { context_id: contextId, task_id: taskId, kind },
  }),
  statusOf: () => null,
};

function messagesAround(world: World, unit: number): Message[] {
  const about = taskThreadOf(world, unit, taskAt(world, unit));
  if (unit % TASKS_PER_CONVERSATION !== 0) return about;
  const share = (unit + createRandom(`conversation moment ${unit}`).next()) / TASKS;
  return [...about, ...conversationAt(world, unit, world.momentOf(share))];
}

/** Inserts messages, and lets the tasks that wait name their question. */
async function insertMessages(tx: Transaction, rows: Message[]): Promise<void> {
  await insertRows(tx, "message", rows);
  await tx.db.$queryRawUnsafe(
    `UPDATE task t SET question_id = m.id FROM message m
     WHERE m.workspace_id = $1::uuid AND m.id = ANY($2::uuid[]) AND m.kind = 'question'
       AND t.workspace_id = m.workspace_id AND t.id = m.task_id AND t.status = 'input_required'`,
    ...[tx.ctx.workspaceId, rows.map(({ id }) => id)],
  );
}
