import type { AgentCommand } from "../../db/generated/client.ts";
import { type HistoryEntry, type PastEvent, SERVICE, toEvents } from "../history.ts";
import type { DemoWorld } from "../demo-world.ts";
import { type CommandScenario, commandRow } from "./command-row.ts";

/** Builds the events of a command, starting with its creation. */
export function buildCommandHistory(world: DemoWorld, order: CommandScenario): PastEvent[] {
  const row = commandRow(world, order);
  const subject = { subjectType: "agent_command", subjectId: row.id, agentId: row.agentId };
  const data = { type: row.type, priority: row.priority, task_id: row.taskId, mission_id: row.missionId };
  const happened = [
    { type: "agent_command.created", at: row.createdAt, by: order.by, data: { status: "queued" } },
    ...buildCourse(world, row, order),
  ];
  return toEvents(
    subject,
    happened.map((one) => ({ ...one, data: { ...data, ...one.data } })),
  );
}

function buildCourse(world: DemoWorld, row: AgentCommand, order: CommandScenario): HistoryEntry[] {
  const agent = world.agentById(row.agentId);
  const { status, deliveredAt, acknowledgedAt, startedAt, finishedAt } = row;
  // A rejected command ends with its acknowledgement.
  const ended =
    status === "canceled" ? order.by : status === "expired" || status === "timed_out" ? SERVICE : agent;
  const steps = [
    { type: "agent_command.delivered", at: deliveredAt, by: SERVICE, data: { status: "delivered" } },
    { type: "agent_command.acknowledged", at: acknowledgedAt, by: agent, data: { status: "acknowledged" } },
    { type: "agent_command.updated", at: startedAt, by: agent, data: { status: "running" } },
    { type: "agent_command.finished", at: finishedAt, by: ended, data: { status } },
  ];
  return steps.flatMap(({ at, ...step }) => (at === null ? [] : [{ ...step, at }]));
}
