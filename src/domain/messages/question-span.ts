import type { Message } from "../../db/generated/client.ts";
import type { ActorRecord } from "../kernel/actor.ts";
import { type ServerSpan, createSpanId, toOwnTraceId } from "../kernel/server-span.ts";

/** What became of a question, and when. */
export type QuestionEnd = { at: Date; isAnswered: boolean };

/**
 * Builds the span of an agent's question to people: open until somebody answers it, or its task goes on without.
 *
 * @param end null while it waits.
 * @returns nothing for other messages.
 */
export function questionSpans(message: Message, end: QuestionEnd | null): ServerSpan[] {
  const { id, kind, recipientAgentId, contextId, taskId, missionId, traceId, parentSpanId } = message;
  // Only createActorRecord() writes this column.
  const { type, id: agentId } = message.sender as ActorRecord;
  if (kind !== "question" || type !== "agent" || agentId === null || recipientAgentId !== null) return [];
  const span: ServerSpan = {
    traceId: traceId ?? toOwnTraceId(id),
    spanId: createSpanId("human_answer", id),
    parentSpanId,
    name: "human_answer",
    op: "human",
    agentId,
    conversationId: contextId,
    taskId,
    missionId,
    startedAt: message.createdAt.toISOString(),
    endedAt: end?.at.toISOString() ?? null,
    status: end?.isAnswered === true ? "ok" : "unset",
    statusMessage: null,
    attributes: { "aos.message_id": id },
    events: [],
  };
  return [span];
}
