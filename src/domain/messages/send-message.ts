import { sql } from "../../db/sql.ts";
import type { Message } from "../../db/generated/client.ts";
import { type ActorRecord, createActorRecord } from "../kernel/actor.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { type EventInput, type TotalChange, append } from "../kernel/events.ts";
import { requireScope } from "../kernel/guard.ts";
import { claimIdempotencyKey } from "../kernel/idempotency.ts";
import { parseInput } from "../kernel/input.ts";
import { parseTraceId } from "../kernel/traceparent.ts";
import { answerTask } from "../tasks/answer-task.ts";
import { askAboutTask } from "../tasks/ask-about-task.ts";
import type { TaskAppendContent } from "../tasks/move-task.ts";
import { type MessageInput, type MessageRequest, messageInput } from "./message-input.ts";
import { type MessagePlacement, placeMessage } from "./place-message.ts";
import canonicalize from "canonicalize";
import { v7 as uuidv7 } from "uuid";

/**
 * Sends a message into a context: a conversation, a task's or a mission's. With an id of the sender's
 * own, sending it again changes nothing.
 *
 * @returns the message, and whether this call made it.
 * @throws {DomainError} insufficient_scope without `messages:write`; validation_failed; forbidden for an agent's
 *   answer to its own question, or to one that was put to another agent; id_conflict for an id that another message has; invalid_state for an answer to what is answered, and for a question about a
 *   task that is not worked on; lease_lost for a question of who does not hold the task; idempotency errors.
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
    // Whoever changes a task's messages and the task locks the task first.
    const moved = await moveMessageTask(tx, { ...asked, id }, place);
    const waiting = asked.kind === "question" && (place.taskId === null || moved.events.length > 0);
    const message = await tx.db.message.create({
      data: { ...messageRow(ctx, asked, { ...place, id }), waiting },
    });
    const answered = place.question === null ? [] : await markAnswered(tx, place.question, id);
    append(tx, {
      events: [...messageEvents(message, place.question?.id ?? null), ...moved.events],
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

/** A holder's question lets its task wait; the answer lets it go on. */
async function moveMessageTask(
  tx: Transaction,
  asked: MessageInput & { id: string },
  { question }: MessagePlacement,
): Promise<Pick<TaskAppendContent, "events" | "totals">> {
  if (asked.kind === "question" && asked.taskId) return askAboutTask(tx, { ...asked, taskId: asked.taskId });
  if (question !== null && question.taskId !== null) return answerTask(tx, question.taskId, question.id);
  return { events: [], totals: [] };
}

/** The message that this request made before, answered as it was then, or that one with the same id made. */
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
  if (typeof asked.id !== "string") return null;
  // Two sendings of one id wait for each other here, so that the second finds what the first made.
  await run(LOCK, [`${ctx.workspaceId} ${id}`]);
  const earlier = await db.message.findUnique({ where: { workspaceId_id: key } });
  if (earlier === null) return null;
  if (isSame(ctx, earlier, asked)) return { message: earlier, created: false };
  throw new DomainError("id_conflict", "Another message has this id.", { field: "id" });
}

const LOCK = sql`SELECT pg_advisory_xact_lock(hashtextextended($1, 1))::text`;

function isSame(ctx: Ctx, earlier: Message, asked: MessageInput): boolean {
  const again = messageRow(ctx, asked, {
    id: earlier.id,
    contextId: asked.contextId ?? earlier.contextId,
    taskId: asked.taskId ?? (asked.kind === "answer" ? earlier.taskId : null),
    missionId: asked.missionId ?? (asked.kind === "answer" ? earlier.missionId : null),
  });
  const {
    createdAt: _at,
    answeredById: _by,
    waiting: _waits,
    traceId: _trace,
    ...kept
  } = omitSenderName(earlier);
  const { createdAt: _now, traceId: _other, ...fresh } = omitSenderName(again);
  return canonicalize(kept) === canonicalize(fresh);
}

/** Its sender may be called otherwise by now. */
function omitSenderName<Row extends Pick<Message, "sender">>(row: Row): Row {
  // Written by recordOf().
  const { name: _name, ...sender } = row.sender as ActorRecord;
  return { ...row, sender };
}

type MessageIds = Omit<MessagePlacement, "question"> & { id: string };

function messageRow(ctx: Ctx, asked: MessageInput, { id, contextId, taskId, missionId }: MessageIds) {
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
    // JSON that was held to its shape before.
    parts: asked.parts as object[],
    replyToId: asked.replyToId ?? null,
    expectsReply: asked.expectsReply,
    referenceTaskIds: asked.referenceTaskIds,
    metadata: asked.metadata as object,
    traceId: parseTraceId(ctx.traceparent),
    ...(ctx.now !== null && { createdAt: ctx.now }),
  };
}

/** @returns what became of the totals; of a question on which a task waits, the task's move tells it. */
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

function messageEvents(message: Message, questionId: string | null): EventInput[] {
  const { id, contextId, taskId, kind, recipientAgentId } = message;
  const created: EventInput = {
    type: "message.created",
    subjectType: "message",
    subjectId: id,
    agentId: recipientAgentId,
    data: { context_id: contextId, task_id: taskId, kind },
  };
  if (questionId === null) return [created];
  const answered: EventInput = {
    type: "message.answered",
    subjectType: "message",
    subjectId: questionId,
    data: { answered_by_id: id, context_id: contextId },
  };
  return [created, answered];
}

/**
 * Holds that the caller may answer a question. People may answer any. An agent may answer what another asks of
 * it or of everybody; never what it asked itself, or nobody would have supervised the task that waits for it.
 *
 * @throws {DomainError} forbidden.
 */
function requireMayAnswer({ actor }: Ctx, { sender, recipientAgentId }: Message): void {
  if (actor.type !== "agent") return;
  // Written by recordOf().
  const { type, id } = sender as ActorRecord;
  if (type === "agent" && id === actor.id) {
    throw new DomainError("forbidden", "An agent can't answer its own question.");
  }
  if (recipientAgentId !== null && recipientAgentId !== actor.id) {
    throw new DomainError("forbidden", "The question was put to another agent.");
  }
}
