import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { writeHeldReports } from "../../../src/domain/robots/held-reports.ts";
import { reportVdaState } from "../../../src/domain/robots/vda5050/report-vda-state.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type TestRobot, createRobot } from "../../support/robots.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { STATE_2, STATE_3 } from "./vda-states.ts";

let world: TestWorld;
let robot: TestRobot;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  robot = await createRobot(world.server, world.workspaceId);
});

/** A message without one member, given by its path, such as `safetyState.fieldViolation`. */
function without(message: object, path: string): object {
  const copy = structuredClone(message);
  const names = path.split(".");
  const last = names.pop() ?? "";
  const parent = names.reduce<object>((value, name) => Reflect.get(value, name), copy);
  Reflect.deleteProperty(parent, last);
  return copy;
}

describe("reportVdaState", () => {
  it("accepts a state of version 3", async () => {
    expect(await reportVdaState(robot.ctx, STATE_3)).toEqual({ applied: true, controlState: "active" });
    expect(await robot.row()).toMatchObject({
      manufacturer: "Carrow Robotics",
      serialNumber: "CR-H250-0117",
      operatingMode: "automatic",
      status: "executing",
      batteryPercent: 78.5,
      charging: false,
      position: { x: 44.1, y: 17.9, theta: -0.12, map_id: "hall-a", localized: true },
      velocity: { vx: 1.21, vy: 0, omega: 0.03 },
      driving: true,
      paused: false,
      emergencyStop: "none",
      fieldViolation: false,
      errors: [
        {
          type: "LIDAR_DIRTY",
          level: "warning",
          description: "The front scanner sees less than it should.",
          hint: "Clean it at the next stop.",
          references: [{ key: "sensor", value: "front" }],
        },
      ],
      loads: [{ load_id: "T-48213", load_type: "tote", load_position: "front", weight: 11.4 }],
      stateSeq: 1042n,
    });
  });

  it("accepts a state of version 2, which has other names", async () => {
    await reportVdaState(robot.ctx, STATE_2);
    expect(await robot.row()).toMatchObject({
      manufacturer: "Nordhaul",
      operatingMode: "teach_in",
      status: "charging",
      batteryPercent: 31.8,
      charging: true,
      position: { x: 2.1, y: 30.4, theta: 3.14, map_id: "hall-b", localized: false },
      velocity: null,
      errors: [],
      loads: [],
      stateSeq: 77n,
    });
  });

  it.each([
    ["AUTOACK", "manual"],
    ["MANUAL", "manual"],
    ["REMOTE", "remote"],
  ])("maps the emergency stop %s of version 2 to %s", async (eStop, emergencyStop) => {
    await reportVdaState(robot.ctx, { ...STATE_2, safetyState: { eStop, fieldViolation: false } });
    expect(await robot.row()).toMatchObject({ emergencyStop, status: "error" });
  });

  it.each([
    ["an order isn't finished", { driving: false }, "executing"],
    ["an action is running", { driving: false, nodeStates: [], edgeStates: [] }, "executing"],
    ["nothing is left to do", { driving: false, nodeStates: [], edgeStates: [], actionStates: [] }, "idle"],
    ["it is paused", { paused: true }, "paused"],
    ["an error is critical", { errors: [{ errorType: "LOAD_MISSING", errorLevel: "CRITICAL" }] }, "error"],
    ["a field is violated", { safetyState: { activeEmergencyStop: "NONE", fieldViolation: true } }, "error"],
  ])("derives the status if %s", async (_what, fields, status) => {
    await reportVdaState(robot.ctx, { ...STATE_3, ...fields });
    expect((await robot.row()).status).toBe(status);
  });

  it("uses headerId as the sequence number, which wraps and restarts at 0", async () => {
    const report = async (headerId: number) => {
      const { applied } = await reportVdaState(robot.ctx, { ...STATE_3, headerId });
      await writeHeldReports(world.server.services);
      return applied;
    };
    expect(await report(4_294_967_290)).toBe(true);
    expect(await report(4_294_967_289)).toBe(false);
    expect(await report(3)).toBe(true);
    expect(await report(4_294_967_295)).toBe(false);
    expect(await report(900)).toBe(true);
    expect(await report(0)).toBe(true);
    expect((await robot.row()).stateSeq).toBe(0n);
  });

  it("leaves out references and errors that are too large, the least severe ones first", async () => {
    const errorReferences = Array.from({ length: 32 }, (_, n) => ({
      referenceKey: `k${n}`,
      referenceValue: "x".repeat(1500),
    }));
    const error = { errorDescription: "x".repeat(2000), errorHint: "x".repeat(2000), errorReferences };
    const errors = Array.from({ length: 20 }, (_, n) => ({
      ...error,
      errorType: `e${n}`,
      errorLevel: n === 19 ? "FATAL" : "WARNING",
    }));
    await reportVdaState(robot.ctx, { ...STATE_3, errors });
    const { errors: kept } = await robot.row();
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(262_144);
    expect(kept).toHaveLength(16);
    expect(kept).toMatchObject({ 0: { type: "e19", references: { length: 32 } }, 15: { type: "e14" } });
    expect(kept).not.toHaveProperty("15.references");
  });

  it("truncates long values, and keeps the worst errors", async () => {
    const warnings = Array.from({ length: 80 }, (_, index) => ({
      ...{ errorType: `w${index}`, errorLevel: "WARNING", errorDescription: "x".repeat(5000) },
    }));
    const errors = [...warnings, { errorType: "\0worst".padEnd(300, "!"), errorLevel: "FATAL" }];
    await reportVdaState(robot.ctx, { ...STATE_3, errors });
    const row = await robot.row();
    expect(row.status).toBe("error");
    expect(row.errors).toHaveLength(64);
    expect(row.errors).toMatchObject({ 0: { level: "fatal", type: "worst".padEnd(100, "!") } });
  });

  it("keeps a manufacturer set by users", async () => {
    await world.ctx.db.robot.updateMany({ where: { id: robot.id }, data: { manufacturer: "Ours" } });
    await reportVdaState(robot.ctx, STATE_3);
    expect(await robot.row()).toMatchObject({ manufacturer: "Ours", serialNumber: "CR-H250-0117" });
  });

  it("accepts missing optional fields", async () => {
    const { mobileRobotPosition: _p, velocity: _v, loads: _l, paused: _q, maps: _m, ...rest } = STATE_3;
    expect(await reportVdaState(robot.ctx, rest)).toMatchObject({ applied: true });
    expect(await robot.row()).toMatchObject({ position: null, velocity: null, loads: [], paused: false });
  });

  it.each([
    ...["version", "headerId", "driving", "operatingMode", "errors", "nodeStates", "actionStates"],
    ...[
      "powerSupply",
      "powerSupply.charging",
      "safetyState",
      "safetyState.fieldViolation",
      "mobileRobotPosition.x",
    ],
  ])("rejects a state of version 3 without %s, with its path", async (path) => {
    await expect(reportVdaState(robot.ctx, without(STATE_3, path))).rejects.toMatchObject({
      code: "validation_failed",
      details: { field: `$.${path}` },
    });
  });

  it.each(["batteryState", "safetyState.eStop", "agvPosition.mapId"])(
    "rejects a state of version 2 without %s, and names its path",
    async (path) => {
      await expect(reportVdaState(robot.ctx, without(STATE_2, path))).rejects.toMatchObject({
        details: { field: `$.${path}` },
      });
    },
  );

  it.each([
    [{ errors: [{ errorType: "x", errorLevel: "BAD" }] }, "$.errors[0].errorLevel"],
    [{ version: "1.3.2" }, "$.version"],
    [{ headerId: 4_294_967_296 }, "$.headerId"],
    [{ powerSupply: { stateOfCharge: "full", charging: true } }, "$.powerSupply.stateOfCharge"],
  ])("rejects %j, with its path", async (fields, field) => {
    await expect(reportVdaState(robot.ctx, { ...STATE_3, ...fields })).rejects.toMatchObject({
      details: { field },
    });
  });

  it.each([null, [], "x", 1])("rejects %j", async (message) => {
    expect(await getErrorCode(reportVdaState(robot.ctx, message))).toBe("validation_failed");
  });

  it("rejects an actor without the scope, and an agent that is not a robot", async () => {
    const whose = { id: await insertTestAgent(world.ctx), workspaceId: world.workspaceId };
    expect(await getErrorCode(reportVdaState(agentCtx(world.server, whose, { scopes: [] }), STATE_3))).toBe(
      "insufficient_scope",
    );
    expect(await getErrorCode(reportVdaState(agentCtx(world.server, whose), STATE_3))).toBe("not_a_robot");
  });
});
