import type { Execution } from "../../db/generated/client.ts";
import { type ServerSpan, createSpanId, toOwnTraceId } from "../kernel/server-span.ts";

/** Builds an execution's span as it is: from the use of the permission until its outcome is known, or is not to be. */
export function executionSpan(execution: Execution): ServerSpan {
  const { id, agentId, resourceId, status, approvalId, taskId, traceId, parentSpanId } = execution;
  return {
    traceId: traceId ?? toOwnTraceId(id),
    spanId: createSpanId("execute_tool", id),
    parentSpanId,
    name: `execute_tool ${resourceId}`,
    op: "tool",
    agentId,
    conversationId: null,
    taskId,
    missionId: null,
    startedAt: execution.createdAt.toISOString(),
    endedAt: execution.endedAt?.toISOString() ?? null,
    ...getOutcome(execution),
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": resourceId,
      "aos.execution_id": id,
      "aos.execution.status": status,
      ...(approvalId !== null && { "aos.approval_id": approvalId }),
    },
    events: [],
  };
}

function getOutcome({ status }: Execution): Pick<ServerSpan, "status" | "statusMessage"> {
  if (status === "completed") return { status: "ok", statusMessage: null };
  const isFailure = status === "failed" || status === "unknown";
  return isFailure ? { status: "error", statusMessage: status } : { status: "unset", statusMessage: null };
}
