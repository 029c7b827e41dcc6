import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { cancelMission } from "../../../src/domain/missions/cancel-mission.ts";
import { createMission } from "../../../src/domain/missions/create-mission.ts";
import { listMissions } from "../../../src/domain/missions/list-missions.ts";
import { pauseMission, resumeMission } from "../../../src/domain/missions/pause-mission.ts";
import { readMission } from "../../../src/domain/missions/read-mission.ts";
import { reportMissionProgress } from "../../../src/domain/missions/report-mission-progress.ts";
import { retryMissionStep, skipMissionStep } from "../../../src/domain/missions/steer-step.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import {
  MISSION_MODEL_ACTS,
  TWO_STEPS,
  addRobot,
  listCommands,
  missionIn,
  readStoredMission,
  newMission,
  openMissionScene,
  robotAt,
} from "../../support/mission-scene.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

type Call = (ctx: Ctx, id: string) => Promise<unknown>;

const WRITES: Record<string, Call> = {
  createMission: (ctx) => createMission(ctx, { title: "x", kind: "custom", steps: [...TWO_STEPS] }),
  pauseMission: (ctx, id) => pauseMission(ctx, { id }),
  resumeMission: (ctx, id) => resumeMission(ctx, { id }),
  cancelMission: (ctx, id) => cancelMission(ctx, { id }),
  retryMissionStep: (ctx, id) => retryMissionStep(ctx, { id, stepKey: "drive" }),
  skipMissionStep: (ctx, id) => skipMissionStep(ctx, { id, stepKey: "drive" }),
};

const report: Call = (ctx, id) => reportMissionProgress(ctx, { id, status: "running" });
const read: Call = (ctx, id) => readMission(ctx, { id });

describe.each([
  ...Object.entries(WRITES).map(([name, call]) => ({
    name,
    call,
    scope: "missions:write",
    refused: "viewer" as const,
  })),
  { name: "reportMissionProgress", call: report, scope: "missions:report", refused: "owner" },
  { name: "readMission", call: read, scope: "missions:read", refused: null },
] as const)("$name", ({ call, scope, refused }) => {
  it("rejects an actor without the scope", async () => {
    const scene = await openMissionScene(quiet, 1);
    const { workspaceId, operator } = scene;
    const { id } = await newMission(scene);
    const scopes = (["missions:read", "missions:write", "missions:report"] as const).filter(
      (one) => one !== scope,
    );
    const robot = agentCtx(quiet, { id: robotAt(scene).robotId, workspaceId }, { scopes });
    expect(await getErrorCode(call(robot, id))).toBe("insufficient_scope");
    if (refused !== null)
      expect(await getErrorCode(call(userCtx(quiet, workspaceId, refused), id))).toBe("forbidden");
    expect((await readStoredMission(operator, id)).status).toBe("assigned");
  });
});

describe("events of a mission", () => {
  it("are in order, with audit events for users", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    await MISSION_MODEL_ACTS.pause(scene, id);
    await MISSION_MODEL_ACTS.resume(scene, id);
    await MISSION_MODEL_ACTS.skip(scene, id);
    await MISSION_MODEL_ACTS.finish(scene, id);
    const events = await scene.operator.db.event.findMany({
      where: { subjectId: id },
      orderBy: { seq: "asc" },
    });
    const { robotId } = robotAt(scene);
    expect(events.map(({ type, data }) => [type, Reflect.get(Object(data), "status")])).toEqual([
      ["mission.created", "pending"],
      ["mission.assigned", "assigned"],
      ["mission.updated", "running"],
      ["mission.updated", "paused"],
      ["mission.updated", "running"],
      ["mission.updated", "running"],
      ["mission.finished", "completed"],
    ]);
    expect(new Set(events.slice(1).map(({ agentId }) => agentId))).toEqual(new Set([robotId]));
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain("dock-1");
    const trail = await scene.operator.db.auditEvent.findMany({
      where: { targetId: id },
      orderBy: { seq: "asc" },
    });
    expect(trail.map(({ action }) => action)).toEqual([
      "mission.created",
      "mission.paused",
      "mission.resumed",
      "mission.step_skipped",
    ]);
  });
});

describe("cancelMission", () => {
  it("withdraws an undelivered start command, and notifies a robot that may have it", async () => {
    const unseen = await missionIn(quiet, "assigned");
    expect((await cancelMission(unseen.scene.operator, { id: unseen.id })).command).toBeNull();
    expect(await listCommands(unseen.scene, unseen.id)).toEqual(["mission.start canceled"]);
    const seen = await missionIn(quiet, "assigned");
    await MISSION_MODEL_ACTS.accept(seen.scene);
    const { command } = await cancelMission(seen.scene.operator, { id: seen.id });
    expect(command).toMatchObject({ type: "mission.cancel", priority: "urgent", status: "queued" });
    expect((await listCommands(seen.scene, seen.id))[0]).toBe("mission.start canceled");
  });
});

describe("a skipped step", () => {
  it("stays skipped whatever its robot reports, and completes its mission if it was the last", async () => {
    const { scene, id } = await missionIn(quiet, "paused");
    const report = (key: string) =>
      reportMissionProgress(robotAt(scene), { id, steps: [{ key, status: "finished" }] });
    await skipMissionStep(scene.operator, { id, stepKey: "drive" });
    await report("drive");
    expect((await readStoredMission(scene.operator, id)).steps[0]?.status).toBe("skipped");
    await skipMissionStep(scene.operator, { id, stepKey: "lift" });
    expect(await readStoredMission(scene.operator, id)).toMatchObject({ status: "completed", progress: 1 });
    const again = await skipMissionStep(scene.operator, { id, stepKey: "lift" });
    expect(again.command?.type).toBe("mission.skip_step");
  });
});

describe("listMissions", () => {
  it("filters by robot, kind or status", async () => {
    const scene = await openMissionScene(quiet, 1);
    const { id, robotId } = await newMission(scene, { kind: "patrol" });
    await addRobot(quiet, scene);
    await newMission(scene, { kind: "dock" });
    const waiting = await newMission(scene, { kind: "patrol" });
    const listed = async (filter: Parameters<typeof listMissions>[2]) =>
      (await listMissions(scene.operator, { all: true }, filter)).nodes.map((node) => node.id);
    expect(await listed({ robotId })).toEqual([id]);
    expect(await listed({ kind: "patrol" })).toEqual([waiting.id, id]);
    expect(await listed({ status: "pending" })).toEqual([waiting.id]);
    expect(await listed({ kind: "patrol", status: "assigned" })).toEqual([id]);
    expect(await getErrorCode(listMissions(scene.operator, {}, { robotId: "x" }))).toBe("validation_failed");
  });
});
