import { sql } from "../../db/sql.ts";
import type { Message } from "../../db/generated/client.ts";
import { type ActorRecord, createActorRecord } from "../kernel/actor.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { type EventInput, type TotalChange, append } from "../kernel/events.ts";
import { getFixedTimes } from "../kernel/get-fixed-times.ts";
import { requireScope } from "../kernel/guard.ts";
import { claimIdempotencyKey } from "../kernel/idempotency.ts";
import { parseInput } from "../kernel/input.ts";
import { answerTask } from "../tasks/answer-task.ts";
import { askAboutTask } from "../tasks/ask-about-task.ts";
import { type ParentSpan, findParent } from "../tasks/find-parent.ts";
import type { TaskAppendContent } from "../tasks/move-task.ts";
import { type MessageInput, type MessageRequest, messageInput } from "./message-input.ts";
import { type MessagePlacement, placeMessage } from "./place-message.ts";
import { questionSpans } from "./question-span.ts";
import canonicalize from "canonicalize";
import { v7 as uuidv7 } from "uuid";

/**
 * Sends a message to a context: a conversation, a task's or a mission's. With an id chosen by the sender,
 * sending it again does nothing; with `reusesWaiting`, a question that still waits is not asked a second time.
 *
 * @returns the message, and whether this call created it.
 * @throws {DomainError} insufficient_scope without `messages:write`; validation_failed; forbidden for an
 *   agent's answer to its own question or to one for another agent; id_conflict if another message has the
 *   id; invalid_state for an answer to an answered question, and for a question about a task that is not
 *   being worked on; lease_lost for a question from a former holder; idempotency errors.
 */
export async function sendMessage(
  ctx: Ctx,
  input: MessageRequest,
): Promise<{ message: Message; created: boolean }> {
  requireScope(ctx, "messages:write");
  const asked = parseInput(messageInput, input);
  const id = asked.id ?? uuidv7();
  return ctx.transaction(async (tx) => {
    const earlier = await findEarlier(tx, asked, id);
    if (earlier !== null) return earlier;
    const place = await placeMessage(tx, asked);
    if (place.question !== null) requireMayAnswer(ctx, place.question);
    // Lock order: the task before its messages.
    const moved = await moveMessageTask(tx, { ...asked, id }, place);
    const waiting = asked.kind === "question" && (place.taskId === null || moved.events.length > 0);
    const parent = await findParent(tx, waiting ? place.taskId : null);
    const message = await tx.db.message.create({
      data: { ...messageRow(ctx, asked, { ...place, id, parent }), waiting },
    });
    const answered = place.question === null ? [] : await markAnswered(tx, place.question, id);
    append(tx, {
      events: [...messageEvents(message, place.question), ...moved.events],
      totals: [{ collection: "messages", to: waiting ? "waiting" : null }, ...moved.totals, ...answered],
      conversations: [{ contextId: message.contextId, messages: 1 }],
      audit:
        ctx.actor.type === "agent"
          ? []
          : [{ action: "message.created", targetType: "message", targetId: id }],
    });
    return { message, created: true };
  });
}

/** A holder's question makes its task wait; the answer resumes it. */
async function moveMessageTask(
  tx: Transaction,
  asked: MessageInput & { id: string },
  { question }: MessagePlacement,
): Promise<Pick<TaskAppendContent, "events" | "totals">> {
  if (asked.kind === "question" && asked.taskId) return askAboutTask(tx, { ...asked, taskId: asked.taskId });
  if (question !== null && question.taskId !== null) return answerTask(tx, question.taskId, question.id);
  return { events: [], totals: [] };
}

/** Returns the message that an earlier call of the same request, or with the same id, created. */
async function findEarlier(
  tx: Transaction,
  asked: MessageInput,
  id: string,
): Promise<{ message: Message; created: boolean } | null> {
  const { run, db, ctx } = tx;
  const made = await claimIdempotencyKey(tx, id);
  const key = { workspaceId: ctx.workspaceId, id: made ?? id };
  if (made !== null) {
    return { message: await db.message.findUniqueOrThrow({ where: { workspaceId_id: key } }), created: true };
  }
  if (asked.reusesWaiting) return findWaiting(tx, asked);
  if (typeof asked.id !== "string") return null;
  // Serializes sends of the same id, so that the second one finds the first one's message.
  await run(LOCK, [`${ctx.workspaceId} ${id}`]);
  const earlier = await db.message.findUnique({ where: { workspaceId_id: key } });
  if (earlier === null) return null;
  if (isSame(ctx, earlier, asked)) return { message: earlier, created: false };
  throw new DomainError("id_conflict", "Another message already has this id.", { field: "id" });
}

/** Finds the sender's question of the same words, about the same task, that still waits. */
async function findWaiting(
  { run, db, ctx }: Transaction,
  { taskId, parts }: MessageInput,
): Promise<{ message: Message; created: boolean } | null> {
  const { workspaceId } = ctx;
  const { id: senderId } = createActorRecord(ctx.actor);
  // Serializes the sender's questions, so that the second one finds the first.
  await run(LOCK, [`${workspaceId} questions of ${senderId}`]);
  const [found] = await run(FIND_WAITING, [workspaceId, senderId, taskId ?? null, JSON.stringify(parts)]);
  if (found === undefined) return null;
  const where = { workspaceId_id: { workspaceId, id: found.id } };
  return { message: await db.message.findUniqueOrThrow({ where }), created: false };
}

const FIND_WAITING = sql<{ id: string }>`
SELECT id FROM message
WHERE workspace_id = $1::uuid AND waiting AND sender ->> 'id' = $2 AND task_id IS NOT DISTINCT FROM $3::uuid
  AND parts = $4::jsonb
ORDER BY created_at, id LIMIT 1`;

const LOCK = sql`SELECT pg_advisory_xact_lock(hashtextextended($1, 1))::text`;

function isSame(ctx: Ctx, earlier: Message, asked: MessageInput): boolean {
  const again = messageRow(ctx, asked, {
    id: earlier.id,
    parent: null,
    contextId: asked.contextId ?? earlier.contextId,
    taskId: asked.taskId ?? (asked.kind === "answer" ? earlier.taskId : null),
    missionId: asked.missionId ?? (asked.kind === "answer" ? earlier.missionId : null),
  });
  const {
    createdAt: _at,
    answeredById: _by,
    waiting: _waits,
    traceId: _trace,
    parentSpanId: _parent,
    ...kept
  } = omitSenderName(earlier);
  const { createdAt: _now, traceId: _other, parentSpanId: _span, ...fresh } = omitSenderName(again);
  return canonicalize(kept) === canonicalize(fresh);
}

/** The sender may have been renamed since. */
function omitSenderName<Row extends Pick<Message, "sender">>(row: Row): Row {
  // Only createActorRecord() writes this column.
  const { name: _name, ...sender } = row.sender as ActorRecord;
  return { ...row, sender };
}

type MessageIds = Omit<MessagePlacement, "question"> & { id: string; parent: ParentSpan | null };

function messageRow(ctx: Ctx, asked: MessageInput, { id, parent, contextId, taskId, missionId }: MessageIds) {
  return {
    workspaceId: ctx.workspaceId,
    id,
    contextId,
    taskId,
    missionId,
    role: ctx.actor.type === "agent" ? ("agent" as const) : ("user" as const),
    sender: createActorRecord(ctx.actor),
    recipientAgentId: asked.recipientAgentId ?? null,
    kind: asked.kind,
    answerBy: asked.answerBy,
    // JSON that was parsed before.
    parts: asked.parts as object[],
    replyToId: asked.replyToId ?? null,
    expectsReply: asked.expectsReply,
    referenceTaskIds: asked.referenceTaskIds,
    metadata: asked.metadata as object,
    traceId: parent?.traceId ?? null,
    parentSpanId: parent?.spanId ?? null,
    ...getFixedTimes(ctx, "createdAt"),
  };
}

/**
 * @returns the changes of the totals, except for a question that a task waits for: the task's move has
 *   those.
 */
async function markAnswered(
  { db, ctx }: Transaction,
  { id, taskId, waiting }: Message,
  answerId: string,
): Promise<TotalChange[]> {
  const { count } = await db.message.updateMany({
    where: { workspaceId: ctx.workspaceId, id, answeredById: null },
    data: { answeredById: answerId, waiting: false },
  });
  if (count === 0) throw new DomainError("invalid_state", "The question is already answered.");
  return waiting && taskId === null ? [{ collection: "messages", from: "waiting", to: null }] : [];
}

function messageEvents(message: Message, question: Message | null): EventInput[] {
  const { id, contextId, taskId, kind, recipientAgentId } = message;
  const created: EventInput = {
    type: "message.created",
    subjectType: "message",
    subjectId: id,
    agentId: recipientAgentId,
    data: { context_id: contextId, task_id: taskId, kind },
    spans: message.waiting ? questionSpans(message, null) : [],
  };
  if (question === null) return [created];
  // That of a question for which a task waits ends with the task's move.
  const isAlone = question.waiting && question.taskId === null;
  const end = { at: message.createdAt, isAnswered: true };
  const answered: EventInput = {
    type: "message.answered",
    subjectType: "message",
    subjectId: question.id,
    data: { answered_by_id: id, context_id: contextId },
    spans: isAlone ? questionSpans(question, end) : [],
  };
  return [created, answered];
}

/**
 * Checks that the caller may answer a question. People may answer any. An agent may answer questions of
 * others to itself or to everyone that are not for people alone, but not its own: then nobody would supervise the waiting task.
 *
 * @throws {DomainError} forbidden.
 */
function requireMayAnswer({ actor }: Ctx, { sender, recipientAgentId, answerBy }: Message): void {
  if (actor.type !== "agent") return;
  if (answerBy === "person") throw new DomainError("forbidden", "Only a person may answer this question.");
  // Only createActorRecord() writes this column.
  const { type, id } = sender as ActorRecord;
  if (type === "agent" && id === actor.id) {
    throw new DomainError("forbidden", "An agent can't answer its own question.");
  }
  if (recipientAgentId !== null && recipientAgentId !== actor.id) {
    throw new DomainError("forbidden", "The question is for another agent.");
  }
}
