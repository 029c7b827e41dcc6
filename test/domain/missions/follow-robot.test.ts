import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reportMissionProgress } from "../../../src/domain/missions/report-mission-progress.ts";
import {
  MISSION_ACTS,
  type MissionScene,
  commandsOf,
  missionIn,
  missionOf,
  robotAt,
  robotOf,
  tell,
} from "../../support/mission-scene.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

async function statusOf(scene: MissionScene, id: string): Promise<string> {
  return (await missionOf(scene.operator, id)).status;
}

describe("a robot's report", () => {
  it.each(["manual", "service", "teach_in", "startup"] as const)(
    "in the mode %s takes its mission over",
    async (mode) => {
      const { scene, id } = await missionIn(quiet, "running");
      await tell(robotAt(scene), { operatingMode: mode });
      expect(await missionOf(scene.operator, id)).toMatchObject({
        status: "failed",
        error: { type: "manual_takeover" },
      });
      const robot = await robotOf(robotAt(scene));
      expect(robot).toMatchObject({ currentMissionId: null, operatingMode: mode });
    },
  );

  it("in another mode leaves its mission alone", async () => {
    for (const mode of ["automatic", "semiautomatic", "intervened"] as const) {
      const { scene, id } = await missionIn(quiet, "running");
      await tell(robotAt(scene), { operatingMode: mode, executing: true });
      expect(await statusOf(scene, id)).toBe("running");
    }
  });

  it("gives an assigned mission back where it takes the robot over, and the start is withdrawn", async () => {
    const { scene, id } = await missionIn(quiet, "assigned");
    await tell(robotAt(scene), { operatingMode: "manual" });
    expect(await missionOf(scene.operator, id)).toMatchObject({ status: "pending", dispatchAttempts: 0 });
    expect(await commandsOf(scene, id)).toEqual(["mission.start canceled"]);
  });

  it("of idleness loses a running mission the second time in a row, and not before", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    const robot = robotAt(scene);
    await tell(robot);
    await tell(robot, { executing: true });
    await tell(robot);
    await reportMissionProgress(robot, { id, steps: [{ key: "drive", status: "finished" }] });
    await tell(robot);
    expect(await statusOf(scene, id)).toBe("running");
    await tell(robot);
    expect(await missionOf(scene.operator, id)).toMatchObject({
      status: "failed",
      error: { type: "robot_lost_mission" },
    });
  });

  it("of idleness costs nothing while a step waits for an operator, or the mission is paused", async () => {
    for (const act of ["stick", "pause"] as const) {
      const { scene, id } = await missionIn(quiet, "running");
      await MISSION_ACTS[act](scene, id);
      for (let count = 0; count < 4; count++) await tell(robotAt(scene));
      expect(["running", "paused"]).toContain(await statusOf(scene, id));
    }
  });
});
