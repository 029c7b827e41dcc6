import type { Mission } from "../../db/generated/client.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import type { CollectionFixture } from "../collection-fixture.ts";
import { insertRows } from "../insert-rows.ts";
import { type Random, createRandom } from "../random.ts";
import { PEOPLE } from "../roster/people.ts";
import { ROBOTS } from "../roster/robots.ts";
import { minDate, addSeconds } from "../times.ts";
import type { DemoWorld } from "../demo-world.ts";
import { type PlannedMission, planMission } from "./mission-plans.ts";
import { listMissionHistory, buildMissionHistory } from "./build-mission-history.ts";
import type { MissionScenario } from "./mission-scenario.ts";
import { findMissionError, buildSteps } from "./mission-steps.ts";

export const MISSIONS = 600;

/** The newest missions, newest first: those that the roster's robots are busy with. */
const OPEN: readonly { status: Mission["status"]; robot: string | null }[] = [
  ...[null, null, null].map((robot) => ({ status: "pending" as const, robot })),
  ...[...listRobotsByStatus("idle"), ...listRobotsByStatus("charging").slice(0, 1)].map((robot) => ({
    status: "assigned" as const,
    robot,
  })),
  ...listRobotsByStatus("executing").map((robot) => ({ status: "running" as const, robot })),
  ...listRobotsByStatus("paused").map((robot) => ({ status: "paused" as const, robot })),
];

const OPEN_EVERY_SECONDS = 100;

const CLOSED = { completed: 90, failed: 5, canceled: 4, expired: 1 } as const;

export const missions: CollectionFixture<MissionScenario> = {
  collection: "missions",
  table: "mission",
  units: MISSIONS,
  buildRows: (world, unit) => [missionAt(world, unit)],
  insert: insertMissions,
  buildHistory: (world, unit) => buildMissionHistory(missionAt(world, unit)),
  getStatus: ({ status }) => status,
  alsoChanged: (scenarios) =>
    scenarios
      .filter(({ status }) => isUnderWay(status))
      .map(() => ({ collection: "robots", from: null, to: null })),
};

/** Builds a mission by its number, counted from the oldest. */
export function missionAt(world: DemoWorld, index: number): MissionScenario {
  const random = createRandom(`mission ${index}`);
  const open = OPEN[MISSIONS - 1 - index];
  const status = open?.status ?? random.weigh(CLOSED);
  const createdAt = pickMoment(world, index, random.next());
  const plan = planMission(`mission ${index}`, open?.robot ?? null);
  const robotId = status === "pending" || status === "expired" ? null : world.agent(plan.robot).id;
  const course = buildCourse({ world, random, status, createdAt, plan });
  const id = world.createId(`mission ${index}`, createdAt);
  const steps = buildSteps({ world, random, status, plan, ...course, missionId: id });
  const finished = steps.filter((step) => step.status === "finished" || step.status === "skipped").length;
  const mission = {
    workspaceId: world.workspaceId,
    id,
    title: plan.title,
    kind: plan.kind,
    robotId,
    requestedRobotId: null,
    allowedRobotIds: [],
    decisionId: null,
    approvalId: null,
    selector: robotId === null ? { fleet: plan.fleet } : null,
    minBatteryPercent: plan.kind === "dock" ? null : 20,
    priority: random.chance(0.15) ? random.whole(7, 9) : random.whole(3, 6),
    status,
    progress: Number((finished / steps.length).toFixed(4)),
    dispatchAttempts: 0,
    startCommandId: null,
    assignedAt: robotId === null ? null : createdAt,
    idleReports: 0,
    estimatedDurationSeconds: Math.round(plan.seconds / 30) * 30,
    deadlineAt: status === "expired" ? course.finishedAt : null,
    cancelRequestedAt: status === "canceled" ? course.finishedAt : null,
    error: status === "failed" ? findMissionError(steps) : null,
    taskId: null,
    contextId: world.createId(`mission context ${index}`, createdAt),
    traceId: null,
    createdBy: random.chance(0.8)
      ? world.agent("fleet-dispatcher")
      : world.person(random.pick(PEOPLE.filter(({ role }) => role !== "viewer")).email),
    // Set once its whole history is known.
    generation: 1,
    createdAt,
    updatedAt: course.finishedAt ?? course.startedAt ?? createdAt,
    ...course,
    steps,
    robot: robotId === null ? null : world.agent(plan.robot),
  };
  const happened = listMissionHistory(mission);
  return { ...mission, generation: happened.length, updatedAt: happened.at(-1)?.at ?? createdAt };
}

function listRobotsByStatus(status: string): string[] {
  return ROBOTS.filter(({ state }) => (state.status ?? "idle") === status).map(({ handle }) => handle);
}

/** Open missions are always from the last minutes. */
function pickMoment(world: DemoWorld, index: number, share: number): Date {
  const fromEnd = MISSIONS - 1 - index;
  if (fromEnd < OPEN.length) return addSeconds(world.end, -OPEN_EVERY_SECONDS * (fromEnd + share));
  return world.getMoment((index + share) / MISSIONS);
}

type Course = { startedAt: Date | null; finishedAt: Date | null };

function buildCourse(scenario: {
  world: DemoWorld;
  random: Random;
  status: Mission["status"];
  createdAt: Date;
  plan: PlannedMission;
}): Course {
  const { world, random, status, createdAt, plan } = scenario;
  function before(seconds: number, from = createdAt): Date {
    return minDate(addSeconds(from, seconds), world.end);
  }
  switch (status) {
    case "awaiting_approval":
    case "pending":
    case "assigned":
      return { startedAt: null, finishedAt: null };
    case "running":
    case "paused":
      return { startedAt: before(random.between(4, 60)), finishedAt: null };
    case "expired":
      return { startedAt: null, finishedAt: before(3600) };
    case "completed":
    case "failed":
    case "canceled": {
      const startedAt = before(random.between(4, 120));
      const share = status === "completed" ? random.between(0.85, 1.3) : random.between(0.2, 0.8);
      return { startedAt, finishedAt: before(plan.seconds * share, startedAt) };
    }
  }
}

async function insertMissions(
  tx: Transaction,
  scenarios: MissionScenario[],
  world: DemoWorld,
): Promise<void> {
  await insertRows(
    tx,
    "mission",
    scenarios.map(({ steps: _steps, robot: _robot, ...mission }) => mission),
  );
  await insertRows(
    tx,
    "mission_step",
    scenarios.flatMap(({ steps }) => steps),
  );
  for (const { id, robotId, status } of scenarios) {
    if (robotId === null || !isUnderWay(status)) continue;
    await tx.db.robot.update({
      where: { workspaceId_id: { workspaceId: world.workspaceId, id: robotId } },
      data: { currentMissionId: id, generation: { increment: 1 } },
    });
  }
}

function isUnderWay(status: Mission["status"]): boolean {
  return status === "assigned" || status === "running" || status === "paused";
}
