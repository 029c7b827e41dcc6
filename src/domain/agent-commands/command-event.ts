import type { AgentCommand } from "../../db/generated/client.ts";
import type { EventInput } from "../kernel/events.ts";
import { commandSpan } from "./command-span.ts";

export type CommandEventType =
  | "agent_command.created"
  | "agent_command.delivered"
  | "agent_command.acknowledged"
  | "agent_command.updated"
  | "agent_command.finished";

/** Builds a command's event, without params and result. */
export function commandEvent(type: CommandEventType, command: AgentCommand): EventInput {
  return {
    type,
    subjectType: "agent_command",
    subjectId: command.id,
    agentId: command.agentId,
    data: {
      generation: command.generation,
      seq: Number(command.seq),
      type: command.type,
      priority: command.priority,
      status: command.status,
      delivery_attempts: command.deliveryAttempts,
      late: command.late,
      task_id: command.taskId,
      mission_id: command.missionId,
      batch_id: command.batchId,
      approval_id: command.approvalId,
    },
    spans: [commandSpan(command)],
  };
}
