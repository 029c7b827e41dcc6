import { sql } from "../../db/sql.ts";
import type { AgentCommand } from "../../db/generated/client.ts";
import { lockAgents } from "../../domain/agent-commands/insert-agent-command.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import type { CollectionFixture } from "../collection-fixture.ts";
import { insertRows } from "../insert-rows.ts";
import { createRandom } from "../random.ts";
import { minDate, addSeconds } from "../times.ts";
import type { DemoWorld } from "../demo-world.ts";
import { buildCommandHistory } from "./build-command-history.ts";
import { type CommandScenario, commandRow } from "./command-row.ts";
import type { MissionScenario } from "./mission-scenario.ts";
import { MISSIONS, missionAt } from "./missions.ts";
import { plainOrder } from "./orders.ts";
import { RECENT_TASKS, TASKS, taskAt } from "./tasks.ts";

/**
 * The month has this many slices of six missions, 29 tasks and nine other commands. The last slice also has
 * the recent tasks.
 */
const SLICES = 100;
const SCENARIOS_PER_SLICE = 9;

/** The commands: mission starts, cancellations of tasks, and what people and agents issue otherwise. */
export const agentCommands: CollectionFixture<AgentCommand> = {
  collection: "agent_commands",
  table: "agent_command",
  units: SLICES,
  buildRows: buildSliceCommands,
  insert: insertCommands,
  buildHistory: (world, slice) =>
    buildSliceScenarios(world, slice).flatMap((order) => buildCommandHistory(world, order)),
  getStatus: ({ status }) => status,
};

function buildSliceCommands(world: DemoWorld, slice: number): AgentCommand[] {
  return buildSliceScenarios(world, slice)
    .map((order) => commandRow(world, order))
    .toSorted((a, b) => Number(a.createdAt) - Number(b.createdAt));
}

function buildSliceScenarios(world: DemoWorld, slice: number): CommandScenario[] {
  return [
    ...listNumbers(slice, MISSIONS / SLICES).map((index) => missionStart(world, index)),
    ...taskNumbers(slice).map((index) => taskCancel(world, index)),
    ...listNumbers(slice, SCENARIOS_PER_SLICE).map((index) =>
      plainOrder(world, index, SLICES * SCENARIOS_PER_SLICE),
    ),
  ].filter((order) => order !== null);
}

function taskNumbers(slice: number): number[] {
  const settled = TASKS - RECENT_TASKS;
  const recent =
    slice === SLICES - 1 ? Array.from({ length: RECENT_TASKS }, (_each, index) => settled + index) : [];
  return [...listNumbers(slice, settled / SLICES), ...recent];
}

function listNumbers(slice: number, perSlice: number): number[] {
  return Array.from({ length: perSlice }, (_each, index) => slice * perSlice + index);
}

function missionStart(world: DemoWorld, index: number): CommandScenario | null {
  const mission = missionAt(world, index);
  if (mission.robotId === null) return null;
  return {
    name: `mission start ${index}`,
    agentId: mission.robotId,
    type: "mission.start",
    params: { mission_id: mission.id },
    at: startOrderedAt(world, mission),
    status: mission.status === "assigned" ? "delivered" : "succeeded",
    by: world.agent("fleet-dispatcher"),
    missionId: mission.id,
    taskId: null,
    seconds: [0.2, 1.5],
  };
}

/** Between the mission's creation and its start. */
function startOrderedAt(world: DemoWorld, { createdAt, startedAt }: MissionScenario): Date {
  const limit = startedAt ?? world.end;
  return minDate(addSeconds(createdAt, 1), limit);
}

function taskCancel(world: DemoWorld, index: number): CommandScenario | null {
  const { task, course, worker, asker } = taskAt(world, index);
  if (task.status !== "canceled" || course.startedAt === null || course.finishedAt === null) return null;
  return {
    name: `task cancel ${index}`,
    agentId: worker.id,
    type: "task.cancel",
    params: { task_id: task.id },
    at: new Date(Math.max(course.startedAt.getTime(), course.finishedAt.getTime() - 4000)),
    status: "succeeded",
    by: asker,
    missionId: null,
    taskId: task.id,
    seconds: [0.1, createRandom(`task cancel ${index}`).between(0.5, 3)],
  };
}

/** Numbers an agent's commands from 1 in the order of issue, even if others issue some meanwhile. */
async function insertCommands(tx: Transaction, rows: AgentCommand[], world: DemoWorld): Promise<void> {
  const agentIds = [...new Set(rows.map(({ agentId }) => agentId))];
  await lockAgents(tx, agentIds);
  const last = await tx.run(READ, [world.workspaceId, agentIds]);
  const seqByAgent = new Map(last.map(({ agentId, seq }) => [agentId, seq]));
  const numbered = rows.map((row) => {
    const seq = (seqByAgent.get(row.agentId) ?? 0n) + 1n;
    seqByAgent.set(row.agentId, seq);
    return { ...row, seq };
  });
  await insertRows(tx, "agent_command", numbered);
}

const READ = sql<{ agentId: string; seq: bigint }>`
SELECT agent_id AS "agentId", max(seq) AS seq FROM agent_command
WHERE workspace_id = $1::uuid AND agent_id = ANY($2::uuid[]) GROUP BY agent_id`;
