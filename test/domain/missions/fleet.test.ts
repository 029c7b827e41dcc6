import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { reportMissionProgress } from "../../../src/domain/missions/report-mission-progress.ts";
import {
  MISSION_MODEL_ACTS,
  type MissionScene,
  type SceneRobot,
  answerCommands,
  readStoredMission,
  newMission,
  openMissionScene,
  passMissionTime,
  readStoredRobot,
  sweepAll,
  reportState,
} from "../../support/mission-scene.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { runs } from "../../support/property-runs.ts";

const ROBOTS = 10;
const TICK_SECONDS = 5;
const CREATING_TICKS = 20;
const DEADLINE_SECONDS = 180;

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

/** What happens to a robot in a tick. Mostly nothing bad. */
const WELL = "goOn";
const FARES = ["fail", "stick", "stall", "takeOver", "dropOut", "restart", "reject"] as const;
type Fare = (typeof FARES)[number] | typeof WELL;

/** A test robot's state: until when it is offline, and whether it has dropped its mission. */
type Life = { robot: SceneRobot; awayTicks: number; stalledAt: string | null };

async function live(life: Life, fare: Fare): Promise<void> {
  const { robot } = life;
  if (--life.awayTicks > 0) return;
  if (fare === "dropOut" || fare === "restart") {
    life.awayTicks = fare === "dropOut" ? 12 : 2;
    return;
  }
  if (fare === "takeOver") return reportState(robot, { operatingMode: "manual" });
  await answerCommands(robot, fare === "reject" ? "rejected" : "accepted");
  const { currentMissionId: id } = await readStoredRobot(robot);
  if (id !== null && fare === "stall") life.stalledAt = id;
  if (id !== null && life.stalledAt !== id) await report(robot, id, fare);
  await reportState(robot, { executing: id !== null });
}

/** Reports the next step and its outcome. */
async function report(robot: SceneRobot, id: string, fare: Fare): Promise<void> {
  const { steps, cancelRequestedAt } = await readStoredMission(robot, id);
  const next = steps.find(({ status }) => status === "waiting" || status === "running");
  const status = fare === "fail" ? "failed" : fare === "stick" ? "retriable" : "finished";
  if (cancelRequestedAt !== null) await reportMissionProgress(robot, { id, status: "canceled" });
  else if (next !== undefined) await reportMissionProgress(robot, { id, steps: [{ key: next.key, status }] });
}

/** An operator retries stuck steps, and sometimes cancels. */
async function supervise(scene: MissionScene, draw: number): Promise<void> {
  const stuck = await scene.operator.db.missionStep.findFirst({
    where: { status: "retriable", mission: { status: "running" } },
  });
  if (stuck !== null)
    await MISSION_MODEL_ACTS[draw % 2 === 0 ? "retry" : "skip"](scene, stuck.missionId).catch(
      ignoreDomainErrors,
    );
  const open = await scene.operator.db.mission.findFirst({ where: { status: "running" } });
  if (open !== null && draw % 7 === 0)
    await MISSION_MODEL_ACTS.cancel(scene, open.id).catch(ignoreDomainErrors);
}

/** The other step may be the stuck one. */
function ignoreDomainErrors(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
}

/** Runs the fleet until no mission is open. @returns the number of ticks. */
async function run(scene: MissionScene, draws: () => number): Promise<number> {
  const lives = scene.robots.map((robot): Life => ({ robot, awayTicks: 0, stalledAt: null }));
  const endTick = CREATING_TICKS + DEADLINE_SECONDS / TICK_SECONDS + 2;
  for (let tick = 1; tick <= endTick; tick++) {
    passMissionTime(scene, TICK_SECONDS);
    if (tick <= CREATING_TICKS) {
      const deadlineAt = new Date((scene.operator.now?.getTime() ?? 0) + DEADLINE_SECONDS * 1000);
      await newMission(scene, { deadlineAt, priority: draws() % 10 });
    }
    for (const life of lives) await live(life, FARES[draws() % 40] ?? WELL);
    await supervise(scene, draws());
    await sweepAll(scene);
    if (tick >= CREATING_TICKS && (await openMissions(scene)) === 0) return tick;
  }
  return Infinity;
}

async function openMissions({ operator }: MissionScene): Promise<number> {
  return operator.db.mission.count({ where: { finishedAt: null } });
}

describe("a fleet of 10 robots that go offline, restart, reject, stall, fail and switch to manual mode", () => {
  it("leaves no mission hanging: each completes or ends with a reason", async () => {
    const endings = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(9999)), async (stream) => {
        const scene = await openMissionScene(quiet, ROBOTS);
        const ticks = await run(scene, () => stream.next().value ?? 0);
        expect(ticks).toBeLessThan(Infinity);
        for (const { status, error } of await scene.operator.db.mission.findMany()) {
          const reason: unknown = error === null ? null : Reflect.get(Object(error), "type");
          endings.add(`${status} ${String(reason)}`);
          if (status === "failed") expect(reason).toEqual(expect.any(String));
          else expect(["completed", "canceled", "expired"]).toContain(status);
        }
        const busy = await scene.operator.db.robot.count({ where: { currentMissionId: { not: null } } });
        expect(busy).toBe(0);
      }),
      { numRuns: runs(4), endOnFailure: true },
    );
    expect([...endings]).toEqual(
      expect.arrayContaining(["completed null", "failed step_failed", "failed manual_takeover"]),
    );
  }, 120_000);
});
