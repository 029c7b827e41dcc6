import type { AgentCommand } from "../../db/generated/client.ts";
import type { AgentCommandStatus } from "../../db/generated/enums.ts";
import { type ServerSpan, type SpanPlace, createSpanId, toOwnTraceId } from "../kernel/server-span.ts";
import { parseTraceparent } from "../kernel/traceparent.ts";

/** Returns a command's place: in the trace of whoever issued it, or in one of its own. */
export function placeCommand({ id, traceparent }: Pick<AgentCommand, "id" | "traceparent">): SpanPlace {
  const traceId = parseTraceparent(traceparent)?.traceId ?? toOwnTraceId(id);
  return { traceId, spanId: createSpanId("agent_command", id) };
}

/** Builds a command's span as it is: from when it was issued until it finished. */
export function commandSpan(command: AgentCommand): ServerSpan {
  const { id, type, agentId, taskId, missionId, status, finishedAt, createdAt } = command;
  return {
    ...placeCommand(command),
    parentSpanId: parseTraceparent(command.traceparent)?.spanId ?? null,
    name: `agent_command ${type}`,
    op: "workflow",
    agentId,
    conversationId: null,
    taskId,
    missionId,
    startedAt: createdAt.toISOString(),
    endedAt: finishedAt?.toISOString() ?? null,
    ...getOutcome(status),
    attributes: { "aos.command_id": id, "aos.command.type": type, "aos.command.status": status },
    events: listSteps(command),
  };
}

const FAILED = new Set<AgentCommandStatus>(["failed", "rejected", "timed_out", "expired"]);

function getOutcome(status: AgentCommandStatus): Pick<ServerSpan, "status" | "statusMessage"> {
  if (status === "succeeded") return { status: "ok", statusMessage: null };
  return FAILED.has(status)
    ? { status: "error", statusMessage: status }
    : { status: "unset", statusMessage: null };
}

function listSteps({ createdAt, ...command }: AgentCommand): ServerSpan["events"] {
  const { deliveredAt, acknowledgedAt, startedAt, finishedAt } = command;
  const steps = Object.entries({
    queued: createdAt,
    delivered: deliveredAt,
    acknowledged: acknowledgedAt,
    started: startedAt,
    finished: finishedAt,
  });
  return steps.flatMap(([name, at]) => (at === null ? [] : [{ name, at: at.toISOString() }]));
}
