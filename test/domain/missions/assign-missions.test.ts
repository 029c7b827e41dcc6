import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sweepMissions } from "../../../src/domain/missions/sweep-missions.ts";
import {
  type MissionScene,
  addRobot,
  readStoredMission,
  newMission,
  openMissionScene,
  passMissionTime,
  robotAt,
  readStoredRobot,
  reportState,
} from "../../support/mission-scene.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

async function readStatus(scene: MissionScene, id: string): Promise<string> {
  return (await readStoredMission(scene.operator, id)).status;
}

describe("an automatic assignment", () => {
  it("skips robots that are busy, not available or not selected", async () => {
    const scene = await openMissionScene(quiet, 5);
    const [busy, weak, manual, unwilling, meant] = scene.robots;
    if (!busy || !weak || !manual || !unwilling || !meant) throw new Error("five robots");
    await newMission(scene, { robotId: busy.robotId });
    await reportState(weak, { batteryPercent: 10 });
    await reportState(manual, { operatingMode: "manual" });
    await scene.operator.db.robot.updateMany({
      where: { id: unwilling.robotId },
      data: { acceptsMissions: false },
    });
    await scene.operator.db.robot.updateMany({ where: { id: meant.robotId }, data: { fleet: "north" } });
    await scene.operator.db.agent.updateMany({
      where: { id: meant.robotId },
      data: { labels: { zone: "a", lift: "yes" } },
    });
    const none = await newMission(scene, { minBatteryPercent: 20, selector: { fleet: "south" } });
    expect(none.status).toBe("pending");
    const other = await newMission(scene, { selector: { labels: { zone: "b" } } });
    expect(other.status).toBe("pending");
    const selector = { kind: "robot", fleet: "north", labels: { zone: "a" } } as const;
    const given = await newMission(scene, { minBatteryPercent: 20, selector });
    expect(given.robotId).toBe(meant.robotId);
    const rest = await newMission(scene, { minBatteryPercent: 20 });
    expect(rest.status).toBe("pending");
    expect((await newMission(scene)).robotId).toBe(weak.robotId);
  });

  it("requires the minimum battery, with or without a requested robot", async () => {
    const scene = await openMissionScene(quiet, 2);
    const [exact, below] = [robotAt(scene, 0), robotAt(scene, 1)];
    await reportState(exact, { batteryPercent: 20 });
    await reportState(below, { batteryPercent: 19.9 });
    const named = await newMission(scene, { robotId: below.robotId, minBatteryPercent: 20 });
    expect(named.status).toBe("pending");
    expect((await newMission(scene, { minBatteryPercent: 20 })).robotId).toBe(exact.robotId);
    expect((await newMission(scene, { minBatteryPercent: 19.9 })).robotId).toBe(below.robotId);
  });

  it("chooses the robot with the fewest waiting missions", async () => {
    const scene = await openMissionScene(quiet, 2);
    const awaited = robotAt(scene, 0);
    await newMission(scene, { robotId: awaited.robotId, minBatteryPercent: 90 });
    expect((await newMission(scene)).robotId).toBe(robotAt(scene, 1).robotId);
  });

  it("goes by priority, then by age, when robots become free", async () => {
    const scene = await openMissionScene(quiet, 0);
    const made: string[] = [];
    for (const priority of [5, 9, 5, 0]) {
      made.push((await newMission(scene, { priority })).id);
      passMissionTime(scene, 1);
    }
    const order: string[] = [];
    for (let count = 0; count < 4; count++) {
      const robot = await addRobot(quiet, scene);
      await sweepMissions(scene.operator.services, scene.operator.now);
      order.push((await readStoredRobot(robot)).currentMissionId ?? "none");
    }
    expect(order).toEqual([made[1], made[0], made[2], made[3]]);
  });

  it("doesn't let a new mission overtake one waiting for the same robot", async () => {
    const scene = await openMissionScene(quiet, 0);
    const urgent = await newMission(scene, { priority: 9 });
    await addRobot(quiet, scene);
    const { status } = await newMission(scene, { priority: 1 });
    expect(status).toBe("pending");
    await sweepMissions(scene.operator.services, scene.operator.now);
    expect(await readStatus(scene, urgent.id)).toBe("assigned");
  });

  it("uses the same number of statements for one mission and for thirty", async () => {
    const counts: number[] = [];
    for (const missions of [1, 30]) {
      const scene = await openMissionScene(quiet, 0);
      for (let count = 0; count < missions; count++) await newMission(scene);
      for (let count = 0; count < missions; count++) await addRobot(quiet, scene);
      const sent = vi.spyOn(pg.Client.prototype, "query");
      expect(await sweepMissions(scene.operator.services, scene.operator.now)).toBe(missions);
      counts.push(sent.mock.calls.length);
      sent.mockRestore();
    }
    expect(counts[0]).toBeGreaterThan(5);
    expect(counts[1]).toBe(counts[0]);
  });
});
