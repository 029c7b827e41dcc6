import type { Approval } from "../../db/generated/client.ts";
import type { EventInput } from "../kernel/events.ts";
import { approvalSpans } from "./approval-span.ts";

/** What happens to an approval. `reviewed`: a person approved it, and it needs another one. */
export type ApprovalEventType =
  | ("approval.requested" | "approval.reviewed" | "approval.decided")
  | ("approval.expired" | "approval.cancelled" | "approval.revoked");

/** Builds an approval's event. It concerns the agent that asked. */
export function approvalEvent(type: ApprovalEventType, approval: Approval): EventInput {
  const { id, agentId, generation, status, decisionId, taskId, expiresAt, approvedUntil } = approval;
  return {
    type,
    subjectType: "approval",
    subjectId: id,
    agentId,
    data: {
      generation,
      status,
      decision_id: decisionId,
      task_id: taskId,
      expires_at: expiresAt.toISOString(),
      approved_until: approvedUntil?.toISOString() ?? null,
    },
    spans: approvalSpans(approval),
  };
}
