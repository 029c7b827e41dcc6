import type { Approval } from "../../db/generated/client.ts";
import { type ServerSpan, createSpanId, toOwnTraceId } from "../kernel/server-span.ts";

/**
 * Builds the span of an agent's question to people: open until they have decided, or it ends otherwise.
 *
 * @returns nothing if a person asks.
 */
export function approvalSpans(approval: Approval): ServerSpan[] {
  const { id, agentId, action, status, taskId, missionId, traceId, parentSpanId } = approval;
  if (agentId === null) return [];
  const span: ServerSpan = {
    traceId: traceId ?? toOwnTraceId(id),
    spanId: createSpanId("human_approval", id),
    parentSpanId,
    name: "human_approval",
    op: "human",
    agentId,
    conversationId: null,
    taskId,
    missionId,
    startedAt: approval.createdAt.toISOString(),
    endedAt: approval.decidedAt?.toISOString() ?? null,
    status: status === "approved" ? "ok" : "unset",
    statusMessage: null,
    attributes: { "aos.approval_id": id, "aos.approval.status": status, "aos.gateway.action": action },
    events: [],
  };
  return [span];
}
