import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reportMissionProgress } from "../../../src/domain/missions/report-mission-progress.ts";
import {
  MISSION_MODEL_ACTS,
  type MissionScene,
  listCommands,
  missionIn,
  readStoredMission,
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

describe("a robot's report", () => {
  it.each(["manual", "service", "teach_in", "startup"] as const)(
    "in mode %s ends its mission",
    async (mode) => {
      const { scene, id } = await missionIn(quiet, "running");
      await reportState(robotAt(scene), { operatingMode: mode });
      expect(await readStoredMission(scene.operator, id)).toMatchObject({
        status: "failed",
        error: { type: "manual_takeover" },
      });
      const robot = await readStoredRobot(robotAt(scene));
      expect(robot).toMatchObject({ currentMissionId: null, operatingMode: mode });
    },
  );

  it("in another mode doesn't affect its mission", async () => {
    for (const mode of ["automatic", "semiautomatic", "intervened"] as const) {
      const { scene, id } = await missionIn(quiet, "running");
      await reportState(robotAt(scene), { operatingMode: mode, executing: true });
      expect(await readStatus(scene, id)).toBe("running");
    }
  });

  it("returns an assigned mission if in manual mode, and withdraws the start command", async () => {
    const { scene, id } = await missionIn(quiet, "assigned");
    await reportState(robotAt(scene), { operatingMode: "manual" });
    expect(await readStoredMission(scene.operator, id)).toMatchObject({
      status: "pending",
      dispatchAttempts: 0,
    });
    expect(await listCommands(scene, id)).toEqual(["mission.start canceled"]);
  });

  it("of being idle fails a running mission the second time in a row", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    const robot = robotAt(scene);
    await reportState(robot);
    await reportState(robot, { executing: true });
    await reportState(robot);
    await reportMissionProgress(robot, { id, steps: [{ key: "drive", status: "finished" }] });
    await reportState(robot);
    expect(await readStatus(scene, id)).toBe("running");
    await reportState(robot);
    expect(await readStoredMission(scene.operator, id)).toMatchObject({
      status: "failed",
      error: { type: "robot_lost_mission" },
    });
  });

  it("of being idle has no effect while a step waits for an operator or the mission is paused", async () => {
    for (const act of ["stick", "pause"] as const) {
      const { scene, id } = await missionIn(quiet, "running");
      await MISSION_MODEL_ACTS[act](scene, id);
      for (let count = 0; count < 4; count++) await reportState(robotAt(scene));
      expect(["running", "paused"]).toContain(await readStatus(scene, id));
    }
  });
});
