import type { Task } from "../../db/generated/client.ts";
import type { EventInput } from "../kernel/events.ts";
import { taskSpans } from "./task-span.ts";

/** Builds a task's event. It concerns the task's holder, or the one that held it before. */
export function taskEvent(type: string, task: Task, claimedBy: string | null = null): EventInput {
  return {
    type,
    subjectType: "task",
    subjectId: task.id,
    agentId: task.claimedByAgentId ?? claimedBy ?? task.assigneeAgentId,
    data: {
      generation: task.generation,
      status: task.status,
      queue: task.queue,
      attempt: task.attempt,
      claimed_by_agent_id: task.claimedByAgentId,
      context_id: task.contextId,
      ...(task.status === "auth_required" && {
        approval_id: task.approvalId,
        decision_id: task.decisionId,
      }),
    },
    spans: taskSpans(task, claimedBy),
  };
}
