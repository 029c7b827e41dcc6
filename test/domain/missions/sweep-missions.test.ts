import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archiveAgent } from "../../../src/domain/agents/archive-agent.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { releaseEmergencyStop } from "../../../src/domain/stops/release-stop.ts";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { sweepMissions } from "../../../src/domain/missions/sweep-missions.ts";
import { userCtx } from "../../support/callers.ts";
import {
  MISSION_MODEL_ACTS,
  type MissionScene,
  addRobot,
  answerCommands,
  listCommands,
  missionIn,
  readStoredMission,
  newMission,
  openMissionScene,
  passMissionTime,
  robotAt,
  readStoredRobot,
  sweepAll,
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

function openAdminCtx({ workspaceId, operator }: MissionScene) {
  return Object.assign(userCtx(quiet, workspaceId, "admin"), { now: operator.now });
}

describe("an assigned mission", () => {
  it("is returned if its robot rejects it, and fails as unassignable after the third time", async () => {
    const scene = await openMissionScene(quiet, 1);
    const { id } = await newMission(scene);
    for (const attempts of [1, 2]) {
      expect(await answerCommands(robotAt(scene), "rejected")).toEqual(["mission.start"]);
      await sweepMissions(scene.operator.services, scene.operator.now);
      // The sweep assigns it to a free robot again, which is always the same one here.
      expect(await readStoredMission(scene.operator, id)).toMatchObject({
        status: "assigned",
        dispatchAttempts: attempts,
      });
    }
    await answerCommands(robotAt(scene), "rejected");
    await sweepAll(scene);
    expect(await readStoredMission(scene.operator, id)).toMatchObject({
      status: "failed",
      dispatchAttempts: 3,
      error: { type: "unassignable", level: "urgent", step_key: null },
    });
    expect((await readStoredRobot(robotAt(scene))).currentMissionId).toBeNull();
  });

  it("goes to another robot if its robot doesn't respond", async () => {
    const scene = await openMissionScene(quiet, 1);
    const { id } = await newMission(scene);
    const other = await addRobot(quiet, scene);
    passMissionTime(scene, 46);
    await reportState(other);
    await sweepAll(scene);
    const mission = await readStoredMission(scene.operator, id);
    expect(mission).toMatchObject({ status: "assigned", robotId: other.robotId, dispatchAttempts: 1 });
    expect((await readStoredRobot(robotAt(scene))).currentMissionId).toBeNull();
    expect(await listCommands(scene, id)).toEqual(["mission.start expired", "mission.start queued"]);
  });

  it("is returned if its robot has accepted it but doesn't start within 60 s, and the robot is notified", async () => {
    const scene = await openMissionScene(quiet, 1);
    const { id } = await newMission(scene);
    await answerCommands(robotAt(scene));
    for (let second = 0; second < 60; second += 20) {
      passMissionTime(scene, 20);
      await reportState(robotAt(scene), { batteryPercent: 79 });
    }
    await sweepMissions(scene.operator.services, scene.operator.now);
    expect((await readStoredMission(scene.operator, id)).dispatchAttempts).toBe(1);
    expect((await listCommands(scene, id)).slice(0, 2)).toEqual([
      "mission.start canceled",
      "mission.cancel queued",
    ]);
  });

  it("waits for the end of an emergency stop, or another robot if its own was stopped", async () => {
    const scene = await openMissionScene(quiet, 1);
    const { id } = await newMission(scene);
    await emergencyStop(scene.operator, { reason: "Smoke" });
    await sweepAll(scene);
    expect(await readStatus(scene, id)).toBe("pending");
    const late = await newMission(scene);
    expect(late.status).toBe("pending");
    await releaseEmergencyStop(openAdminCtx(scene), { reason: "A toaster" });
    await setAgentControlState(scene.operator, { id: robotAt(scene).robotId, controlState: "paused" });
    await sweepAll(scene);
    expect(await readStatus(scene, id)).toBe("pending");
    await setAgentControlState(scene.operator, { id: robotAt(scene).robotId, controlState: "active" });
    await sweepAll(scene);
    expect(await readStoredMission(scene.operator, id)).toMatchObject({
      status: "assigned",
      dispatchAttempts: 0,
    });
    await setAgentControlState(scene.operator, { id: robotAt(scene).robotId, controlState: "stopped" });
    await sweepAll(scene);
    expect(await readStoredMission(scene.operator, id)).toMatchObject({
      status: "pending",
      dispatchAttempts: 0,
    });
  });

  it("fails if its requested robot is archived", async () => {
    const scene = await openMissionScene(quiet, 1);
    const { id } = await newMission(scene, { robotId: robotAt(scene).robotId });
    await archiveAgent(openAdminCtx(scene), robotAt(scene).robotId);
    await sweepAll(scene);
    await sweepAll(scene);
    expect(await readStoredMission(scene.operator, id)).toMatchObject({
      status: "failed",
      error: { type: "unassignable" },
    });
  });
});

describe("a running mission", () => {
  it("fails at its deadline, and its robot is notified; an unstarted one expires", async () => {
    const scene = await openMissionScene(quiet, 1);
    const deadlineAt = new Date((scene.operator.now?.getTime() ?? 0) + 30_000);
    const { id } = await newMission(scene, { deadlineAt });
    await MISSION_MODEL_ACTS.begin(scene, id);
    const { id: waiting } = await newMission(scene, { deadlineAt });
    passMissionTime(scene, 30);
    await sweepMissions(scene.operator.services, scene.operator.now);
    expect(await readStoredMission(scene.operator, id)).toMatchObject({
      status: "failed",
      error: { type: "deadline_exceeded" },
    });
    expect(await readStatus(scene, waiting)).toBe("expired");
    expect((await listCommands(scene, id)).at(-1)).toBe("mission.cancel queued");
  });

  it("is canceled with a note if its robot doesn't confirm within 60 s", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    await MISSION_MODEL_ACTS.cancel(scene, id);
    passMissionTime(scene, 59);
    await sweepMissions(scene.operator.services, scene.operator.now);
    expect(await readStatus(scene, id)).toBe("running");
    passMissionTime(scene, 1);
    await sweepMissions(scene.operator.services, scene.operator.now);
    expect(await readStoredMission(scene.operator, id)).toMatchObject({
      status: "canceled",
      error: { type: "cancel_unconfirmed", level: "warning" },
    });
  });

  it("is canceled, not failed, by any end after cancellation was requested", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    await MISSION_MODEL_ACTS.cancel(scene, id);
    await MISSION_MODEL_ACTS.failStep(scene, id);
    expect(await readStatus(scene, id)).toBe("canceled");
  });

  it("fails as lost after 10 minutes without a report of its robot", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    passMissionTime(scene, 599);
    await sweepAll(scene);
    expect(await readStatus(scene, id)).toBe("running");
    expect((await readStoredRobot(robotAt(scene))).status).toBe("offline");
    passMissionTime(scene, 1);
    await sweepAll(scene);
    expect(await readStoredMission(scene.operator, id)).toMatchObject({
      status: "failed",
      error: { type: "robot_lost", level: "critical" },
    });
  });

  it("is kept by a paused robot, and fails if its robot is stopped", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    await setAgentControlState(scene.operator, { id: robotAt(scene).robotId, controlState: "paused" });
    await sweepAll(scene);
    expect(await readStatus(scene, id)).toBe("running");
    await setAgentControlState(scene.operator, { id: robotAt(scene).robotId, controlState: "stopped" });
    await sweepAll(scene);
    expect(await readStoredMission(scene.operator, id)).toMatchObject({
      status: "failed",
      error: { type: "robot_stopped" },
    });
  });

  it("survives an emergency stop", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    await emergencyStop(scene.operator, { reason: "Smoke" });
    await sweepAll(scene);
    expect(await readStatus(scene, id)).toBe("running");
  });
});

describe("a mission that no robot accepts", () => {
  it("expires when it has waited for as long as the workspace keeps missions", async () => {
    const scene = await openMissionScene(quiet, 0);
    const { id } = await newMission(scene);
    const created = (await readStoredMission(scene.operator, id)).createdAt.getTime();
    const { services } = scene.operator;
    await sweepMissions(services, new Date(created + 90 * 86_400_000 - 1));
    expect(await readStatus(scene, id)).toBe("pending");
    await sweepMissions(services, new Date(created + 90 * 86_400_000));
    expect(await readStoredMission(scene.operator, id)).toMatchObject({
      status: "expired",
      error: { type: "never_started", level: "warning" },
    });
  });
});
