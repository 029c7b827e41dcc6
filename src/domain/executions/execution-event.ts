import type { Execution } from "../../db/generated/client.ts";
import type { ExecutionStatus } from "../../db/generated/enums.ts";
import type { AppendContent, EventInput } from "../kernel/events.ts";
import { executionSpan } from "./execution-span.ts";

/** The events of executions. */
export type ExecutionChange =
  | "execution.started"
  | "execution.finished"
  | "execution.unknown"
  | "execution.resolved";

type Change = {
  type: ExecutionChange;
  /** The status before; null for a new execution. */
  from: ExecutionStatus | null;
};

/** What a transaction that changes an execution must append. */
export type ExecutionAppendContent = Required<Pick<AppendContent, "events" | "totals" | "spans">>;

/**
 * Builds what a change of an execution appends. Those that no person approved start and finish without an
 * event: there may be many.
 */
export function buildExecutionAppend(execution: Execution, { type, from }: Change): ExecutionAppendContent {
  const isQuiet = execution.approvalId === null && execution.retryOf === null;
  const isRoutine = type === "execution.started" || type === "execution.finished";
  return {
    events: isQuiet && isRoutine ? [] : [buildEvent(type, execution)],
    totals: [{ collection: "executions", ...(from !== null && { from }), to: execution.status }],
    spans: [executionSpan(execution)],
  };
}

function buildEvent(type: ExecutionChange, execution: Execution): EventInput {
  const { id, agentId, generation, status, approvalId, decisionId, retryOf, taskId } = execution;
  return {
    type,
    subjectType: "execution",
    subjectId: id,
    agentId,
    data: {
      generation,
      status,
      approval_id: approvalId,
      decision_id: decisionId,
      retry_of: retryOf,
      task_id: taskId,
    },
  };
}
