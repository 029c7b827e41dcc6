import type { Mission } from "../../../db/generated/client.ts";
import type { Transaction } from "../../../domain/context.ts";
import type { Chapter } from "../chapter.ts";
import { insertRows } from "../insert-rows.ts";
import { type Random, createRandom } from "../random.ts";
import { PEOPLE } from "../roster/people.ts";
import { ROBOTS } from "../roster/robots.ts";
import { earlier, secondsAfter } from "../times.ts";
import type { World } from "../world.ts";
import { type Errand, errandOf } from "./errands.ts";
import { happeningsTo, missionHistory } from "./mission-history.ts";
import type { MissionStory } from "./mission-story.ts";
import { failureOfStep, stepsOf } from "./mission-steps.ts";

/** How many missions the demo tells. */
export const MISSIONS = 600;

/** How the newest missions stand, from the newest on: the robots of the roster are busy with them. */
const OPEN: readonly { status: Mission["status"]; robot: string | null }[] = [
  ...[null, null, null].map((robot) => ({ status: "pending" as const, robot })),
  ...[...robotsThat("idle"), ...robotsThat("charging").slice(0, 1)].map((robot) => ({
    status: "assigned" as const,
    robot,
  })),
  ...robotsThat("executing").map((robot) => ({ status: "running" as const, robot })),
  ...robotsThat("paused").map((robot) => ({ status: "paused" as const, robot })),
];

const OPEN_EVERY_SECONDS = 100;

const CLOSED = { completed: 90, failed: 5, canceled: 4, expired: 1 } as const;

/** The missions, each with its steps. */
export const missions: Chapter<MissionStory> = {
  collection: "missions",
  table: "mission",
  units: MISSIONS,
  rowsOf: (world, unit) => [missionAt(world, unit)],
  insert: insertMissions,
  historyOf: (world, unit) => missionHistory(missionAt(world, unit)),
  statusOf: ({ status }) => status,
  alsoChanged: (stories) =>
    stories
      .filter(({ status }) => isUnderWay(status))
      .map(() => ({ collection: "robots", from: null, to: null })),
};

/** The mission of this number, counted from the oldest. */
export function missionAt(world: World, index: number): MissionStory {
  const random = createRandom(`mission ${index}`);
  const open = OPEN[MISSIONS - 1 - index];
  const status = open?.status ?? random.weigh(CLOSED);
  const createdAt = momentOf(world, index, random.next());
  const robot = open?.robot ?? null;
  const errand = errandOf(`mission ${index}`, robot);
  const robotId = status === "pending" || status === "expired" ? null : world.agent(errand.robot).id;
  const course = courseOf({ world, random, status, createdAt, errand });
  const id = world.idOf(`mission ${index}`, createdAt);
  const steps = stepsOf({ world, random, status, errand, ...course, missionId: id });
  const finished = steps.filter((step) => step.status === "finished" || step.status === "skipped").length;
  const mission = {
    workspaceId: world.workspaceId,
    id,
    title: errand.title,
    kind: errand.kind,
    robotId,
    requestedRobotId: null,
    selector: robotId === null ? { fleet: errand.fleet } : null,
    minBatteryPercent: errand.kind === "dock" ? null : 20,
    priority: random.chance(0.15) ? random.whole(7, 9) : random.whole(3, 6),
    status,
    progress: Number((finished / steps.length).toFixed(4)),
    dispatchAttempts: 0,
    startCommandId: null,
    assignedAt: robotId === null ? null : createdAt,
    idleReports: 0,
    estimatedDurationSeconds: Math.round(errand.seconds / 30) * 30,
    deadlineAt: status === "expired" ? course.finishedAt : null,
    cancelRequestedAt: status === "canceled" ? course.finishedAt : null,
    error: status === "failed" ? failureOfStep(steps) : null,
    taskId: null,
    contextId: world.idOf(`mission context ${index}`, createdAt),
    traceId: null,
    createdBy: random.chance(0.8)
      ? world.agent("fleet-dispatcher")
      : world.person(random.pick(PEOPLE.filter(({ role }) => role !== "viewer")).email),
    // Counted by what happened to it, once the whole of it is known.
    generation: 1,
    createdAt,
    updatedAt: course.finishedAt ?? course.startedAt ?? createdAt,
    ...course,
    steps,
    robot: robotId === null ? null : world.agent(errand.robot),
  };
  const happened = happeningsTo(mission);
  return { ...mission, generation: happened.length, updatedAt: happened.at(-1)?.at ?? createdAt };
}

function robotsThat(status: string): string[] {
  return ROBOTS.filter(({ state }) => (state.status ?? "idle") === status).map(({ handle }) => handle);
}

/** Whatever the hour, the open missions are of the last minutes. */
function momentOf(world: World, index: number, share: number): Date {
  const fromEnd = MISSIONS - 1 - index;
  if (fromEnd < OPEN.length) return secondsAfter(world.end, -OPEN_EVERY_SECONDS * (fromEnd + share));
  return world.momentOf((index + share) / MISSIONS);
}

type Course = { startedAt: Date | null; finishedAt: Date | null };

function courseOf(story: {
  world: World;
  random: Random;
  status: Mission["status"];
  createdAt: Date;
  errand: Errand;
}): Course {
  const { world, random, status, createdAt, errand } = story;
  function before(seconds: number, from = createdAt): Date {
    return earlier(secondsAfter(from, seconds), world.end);
  }
  switch (status) {
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
      return { startedAt, finishedAt: before(errand.seconds * share, startedAt) };
    }
  }
}

async function insertMissions(tx: Transaction, stories: MissionStory[], world: World): Promise<void> {
  await insertRows(
    tx,
    "mission",
    stories.map(({ steps: _steps, robot: _robot, ...mission }) => mission),
  );
  await insertRows(
    tx,
    "mission_step",
    stories.flatMap(({ steps }) => steps),
  );
  for (const { id, robotId, status } of stories) {
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
