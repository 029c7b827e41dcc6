import { sql } from "../../db/sql.ts";
import type { Message } from "../../db/generated/client.ts";
import type { ActorRecord } from "../../domain/kernel/actor.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import type { CollectionFixture } from "../collection-fixture.ts";
import type { DemoWorld } from "../demo-world.ts";
import type { PastEvent } from "../history.ts";
import { insertRows } from "../insert-rows.ts";
import { createRandom } from "../random.ts";
import { PEOPLE } from "../roster/people.ts";
import { addSeconds } from "../times.ts";
import { createWriter } from "../writer.ts";
import { CONVERSATIONS } from "./conversations.ts";
import { buildTaskThread } from "./task-thread.ts";
import { TASKS, taskAt } from "./tasks.ts";
import { type Said, threadRows } from "./thread.ts";

/** There is one separate conversation per this many tasks. */
const TASKS_PER_CONVERSATION = 11;

/** The messages: those about tasks, and separate conversations. */
export const messages: CollectionFixture<Message> = {
  collection: "messages",
  table: "message",
  units: TASKS,
  buildRows: messagesAround,
  insert: insertMessages,
  buildHistory: (world, unit) => messagesAround(world, unit).flatMap(buildMessageHistory),
  getStatus: ({ waiting }) => (waiting ? "waiting" : null),
  listConversations: (rows) => rows.map(({ contextId }) => ({ contextId, messages: 1 })),
};

function messagesAround(world: DemoWorld, unit: number): Message[] {
  const about = buildTaskThread(world, unit, taskAt(world, unit));
  if (unit % TASKS_PER_CONVERSATION !== 0) return about;
  const share = (unit + createRandom(`conversation moment ${unit}`).next()) / TASKS;
  return [...about, ...conversationAt(world, unit, world.getMoment(share))];
}

/** An answer is also an event of its question. */
function buildMessageHistory(message: Message): PastEvent[] {
  const { id, contextId, taskId, kind, recipientAgentId, replyToId, createdAt: at } = message;
  // The demo's messages are sent by its agents and people.
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

/** Inserts messages, and sets the question of waiting tasks. */
async function insertMessages(tx: Transaction, rows: Message[]): Promise<void> {
  await insertRows(tx, "message", rows);
  await tx.run(UPDATE, [tx.ctx.workspaceId, rows.map(({ id }) => id)]);
}

const UPDATE = sql`
UPDATE task t SET question_id = m.id FROM message m
WHERE m.workspace_id = $1::uuid AND m.id = ANY($2::uuid[]) AND m.kind = 'question'
  AND t.workspace_id = m.workspace_id AND t.id = m.task_id AND t.status = 'input_required'`;

/** Builds a conversation. Lines after the end of the month are left out. */
function conversationAt(world: DemoWorld, number: number, begin: Date): Message[] {
  const name = `conversation ${number}`;
  const random = createRandom(name);
  const write = createWriter(name);
  const person = random.pick(PEOPLE.filter(({ role }) => role !== "viewer")).email;
  const said: Said[] = [];
  let at = begin;
  for (const { by, to, kind, text } of random.pick(CONVERSATIONS)) {
    if (at > world.end) break;
    said.push({
      at,
      by: by === "person" ? world.person(person) : world.agent(by),
      to: to === undefined || to === "person" ? null : world.agent(to).id,
      kind: kind ?? "text",
      text: write(text),
    });
    at = addSeconds(at, by === "person" ? random.between(4, 60) : random.between(8, 900));
  }
  return threadRows(
    world,
    { name, contextId: world.createId(`${name} context`, begin), taskId: null, asks: false },
    said,
  );
}
