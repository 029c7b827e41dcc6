import type { Message } from "../../../db/generated/client.ts";
import type { ActorRecord } from "../../../domain/actor.ts";
import type { Transaction } from "../../../domain/context.ts";
import type { Chapter } from "../chapter.ts";
import type { PastEvent } from "../history.ts";
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
  historyOf: (world, unit) => messagesAround(world, unit).flatMap(messageHistory),
  statusOf: () => null,
};

function messagesAround(world: World, unit: number): Message[] {
  const about = taskThreadOf(world, unit, taskAt(world, unit));
  if (unit % TASKS_PER_CONVERSATION !== 0) return about;
  const share = (unit + createRandom(`conversation moment ${unit}`).next()) / TASKS;
  return [...about, ...conversationAt(world, unit, world.momentOf(share))];
}

/** An answer is an event of its question too. */
function messageHistory(message: Message): PastEvent[] {
  const { id, contextId, taskId, kind, recipientAgentId, replyToId, createdAt: at } = message;
  // Messages of the demo are sent by its agents and people.
  const actor = message.sender as ActorRecord;
  const data = { context_id: contextId, task_id: taskId, kind };
  const subject = { subjectType: "message", subjectId: id, agentId: recipientAgentId };
  const created = { ...subject, type: "message.created", at, actor, data };
  if (kind !== "answer" || replyToId === null) return [created];
  const answered = { answered_by_id: id, context_id: contextId };
  return [
    created,
    { type: "message.answered", subjectType: "message", subjectId: replyToId, at, actor, data: answered },
  ];
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
