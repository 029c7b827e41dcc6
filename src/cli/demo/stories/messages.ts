import type { Message } from "../../../db/generated/client.ts";
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
  insert: (tx, rows) => insertRows(tx, "message", rows),
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
