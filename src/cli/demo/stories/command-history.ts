import type { AgentCommand } from "../../../db/generated/client.ts";
import { type Happening, type PastEvent, SERVICE, eventsOf } from "../history.ts";
import type { World } from "../world.ts";
import { type Order, commandRow } from "./command-row.ts";

/** What happened to a command, as its events tell; its creation is the first. */
export function commandHistory(world: World, order: Order): PastEvent[] {
  const row = commandRow(world, order);
  const subject = { subjectType: "agent_command", subjectId: row.id, agentId: row.agentId };
  const data = { type: row.type, priority: row.priority, task_id: row.taskId, mission_id: row.missionId };
  const happened = [
    { type: "agent_command.created", at: row.createdAt, by: order.by, data: { status: "queued" } },
    ...courseOf(world, row, order),
  ];
  return eventsOf(
    subject,
    happened.map((one) => ({ ...one, data: { ...data, ...one.data } })),
  );
}

function courseOf(world: World, row: AgentCommand, order: Order): Happening[] {
  const agent = world.agentById(row.agentId);
  const { status, deliveredAt, acknowledgedAt, startedAt, finishedAt } = row;
  // What is rejected is finished by its acknowledgement.
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
