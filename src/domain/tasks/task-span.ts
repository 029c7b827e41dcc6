import type { Task } from "../../db/generated/client.ts";
import { type ServerSpan, type SpanPlace, createSpanId, toOwnTraceId } from "../kernel/server-span.ts";
import { hasHolder } from "./task-states.ts";

/** Returns the place of the current attempt, or of the last one, of a task that was claimed. */
export function placeAttempt({
  id,
  traceId,
  claimedAt,
}: Pick<Task, "id" | "traceId" | "claimedAt">): SpanPlace {
  const spanId = createSpanId("run_task", id, claimedAt?.toISOString() ?? "");
  return { traceId: traceId ?? toOwnTraceId(id), spanId };
}

/**
 * Builds the span of a task's attempt as it is after a change of the task: open while somebody holds it.
 *
 * @param claimedBy who held it before the change.
 * @returns nothing if nobody did and nobody does.
 */
export function taskSpans(task: Task, claimedBy: string | null): ServerSpan[] {
  const isOpen = hasHolder(task.status);
  const agentId = claimedBy ?? (isOpen ? task.claimedByAgentId : null);
  if (agentId === null || task.claimedAt === null) return [];
  const span: ServerSpan = {
    ...placeAttempt(task),
    parentSpanId: task.parentSpanId,
    name: "run_task",
    op: "agent",
    agentId,
    conversationId: task.contextId,
    taskId: task.id,
    missionId: task.missionId,
    startedAt: task.claimedAt.toISOString(),
    endedAt: isOpen ? null : task.updatedAt.toISOString(),
    ...(isOpen ? UNSET : getOutcome(task)),
    attributes: { "aos.task_id": task.id, "aos.task.queue": task.queue, "aos.task.status": task.status },
    events: [],
  };
  return [span];
}

type Outcome = Pick<ServerSpan, "status" | "statusMessage">;

const UNSET: Outcome = { status: "unset", statusMessage: null };

/** A lease that was lost leaves neither its token nor an error. */
function getOutcome({ status, error, leaseTokenDigest }: Task): Outcome {
  if (status === "completed") return { status: "ok", statusMessage: null };
  if (error !== null) return { status: "error", statusMessage: getCode(error) };
  if (leaseTokenDigest === null) return { status: "error", statusMessage: "lease_expired" };
  return UNSET;
}

/** The message can say anything, and is the task's. */
function getCode(error: unknown): string | null {
  const isNamed = typeof error === "object" && error !== null && "code" in error;
  return isNamed && typeof error.code === "string" ? error.code : null;
}
