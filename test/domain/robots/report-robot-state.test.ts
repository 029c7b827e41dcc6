import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { writeHeldReports } from "../../../src/domain/robots/held-reports.ts";
import { reportRobotState } from "../../../src/domain/robots/report-robot-state.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { insertTestAgent, insertTestMission } from "../../support/factories.ts";
import { type TestRobot, createRobot, robotEvents } from "../../support/robots.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let second: TestServer;
let robot: TestRobot;

beforeAll(async () => {
  world = await createWorld();
  second = await startOn(world.server.database);
  await countWrites();
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

beforeEach(async () => {
  robot = await createRobot(world.server, world.workspaceId);
});

/** Counts the written versions of a robot's row. */
async function countWrites(): Promise<void> {
  const { query } = world.server.database;
  await query("CREATE TABLE robot_write (id uuid NOT NULL)");
  await query(`CREATE FUNCTION count_robot_write() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO robot_write VALUES (NEW.id); RETURN NULL; END $$`);
  await query(
    "CREATE TRIGGER count_robot_write AFTER UPDATE ON robot FOR EACH ROW EXECUTE FUNCTION count_robot_write()",
  );
}

async function readWrites({ id }: TestRobot): Promise<number> {
  const { query } = world.server.database;
  const [row] = await query<{ count: number }>("SELECT count(*)::int FROM robot_write WHERE id = $1", [id]);
  return row?.count ?? 0;
}

async function readTotal(column: "version" | "ticks"): Promise<number> {
  const [row] = await world.server.database.query<{ value: string }>(
    `SELECT ${column} AS value FROM collection_total WHERE workspace_id = $1 AND collection = 'robots' AND facet = 'all'`,
    [world.workspaceId],
  );
  return Number(row?.value);
}

describe("reportRobotState", () => {
  it("writes the first report completely, with an event", async () => {
    expect(
      await robot.report(7, {
        batteryPercent: 71.5,
        driving: true,
        position: { x: 3.2, y: -1.1, theta: 1.57, map_id: "floor-1" },
        velocity: { vx: 0.8 },
        errors: [{ type: "LOW_BATTERY", level: "urgent", references: [{ key: "nodeId", value: "n1" }] }],
        loads: [{ load_id: "T-1" }],
      }),
    ).toEqual({ applied: true, controlState: "active" });
    expect(await robot.row()).toMatchObject({
      status: "executing",
      operatingMode: "automatic",
      batteryPercent: 71.5,
      position: { x: 3.2, y: -1.1, theta: 1.57, map_id: "floor-1", localized: true },
      velocity: { vx: 0.8, vy: 0, omega: 0 },
      errors: [{ type: "LOW_BATTERY", level: "urgent", references: [{ key: "nodeId", value: "n1" }] }],
      loads: [{ load_id: "T-1" }],
      stateSeq: 7n,
      stateAt: expect.any(Date),
      generation: 2,
    });
    expect(await robotEvents(world.ctx, robot.id)).toEqual([
      {
        type: "robot.state_changed",
        data: { status: "executing", operating_mode: "automatic", error_count: 1, generation: 2 },
      },
    ]);
  });

  it("treats a report as the whole state: missing fields are cleared", async () => {
    await robot.report(1, { batteryPercent: 40, fieldViolation: true, position: { x: 1, y: 2 } });
    await robot.report(2);
    expect(await robot.row()).toMatchObject({
      ...{ status: "idle", batteryPercent: null, fieldViolation: false, position: null },
    });
  });

  it.each([
    ["the operating mode", { operatingMode: "manual" }, { operating_mode: "manual" }],
    ["an emergency stop", { emergencyStop: "remote" }, { emergency_stop: "remote", status: "error" }],
    ["a field violation", { fieldViolation: true }, { field_violation: true, status: "error" }],
    ["an error", { errors: [{ type: "x", level: "warning" }] }, { error_count: 1 }],
    ["the status", { charging: true }, { status: "charging" }],
  ] as const)("writes %s at once, with an event", async (_what, fields, data) => {
    await robot.report(1);
    await robot.report(2, JSON.parse(JSON.stringify(fields)));
    expect((await robot.row()).stateSeq).toBe(2n);
    const events = await robotEvents(world.ctx, robot.id);
    expect(events.at(-1)).toEqual({ type: "robot.state_changed", data: { ...data, generation: 3 } });
    expect(events).toHaveLength(2);
  });

  it("writes a row once per second for ten reports per second, without events", async () => {
    await robot.report(1, { driving: true });
    const [before, version] = [await readWrites(robot), await readTotal("version")];
    const ticks = await readTotal("ticks");
    const audited = await world.ctx.db.auditEvent.count();
    const startedMs = performance.now();
    for (let seq = 2; seq <= 41; seq++) {
      const fields = { driving: true, batteryPercent: 50 - seq / 10, position: { x: seq, y: 0 } };
      expect((await robot.report(seq, fields)).applied).toBe(true);
    }
    await writeHeldReports(world.server.services);
    const seconds = Math.ceil((performance.now() - startedMs) / 1000);
    expect((await readWrites(robot)) - before).toBeGreaterThanOrEqual(1);
    expect((await readWrites(robot)) - before).toBeLessThanOrEqual(seconds + 1);
    expect(await robot.row()).toMatchObject({
      stateSeq: 41n,
      batteryPercent: 45.9,
      position: { x: 41, y: 0 },
    });
    expect(await robotEvents(world.ctx, robot.id)).toHaveLength(1);
    expect(await world.ctx.db.auditEvent.count()).toBe(audited);
    expect(await readTotal("version")).toBe(version);
    expect(await readTotal("ticks")).toBeGreaterThan(ticks);
  });

  it("treats other texts of the same errors as telemetry", async () => {
    const errors = (description: string) => [{ type: "LANE", level: "warning" as const, description }];
    await robot.report(1, { errors: errors("blocked for 1 s") });
    await robot.report(2, { errors: errors("blocked for 2 s") });
    await writeHeldReports(world.server.services);
    expect(await robot.row()).toMatchObject({ errors: [{ description: "blocked for 2 s" }], generation: 2 });
    expect(await robotEvents(world.ctx, robot.id)).toHaveLength(1);
  });

  it("ignores reports older than the row or the held report", async () => {
    await robot.report(10);
    expect(await robot.report(10)).toMatchObject({ applied: false });
    expect(await robot.report(9, { emergencyStop: "manual" })).toMatchObject({ applied: false });
    await robot.report(20, { batteryPercent: 20 });
    expect(await robot.report(15, { batteryPercent: 15 })).toMatchObject({ applied: false });
    await writeHeldReports(world.server.services);
    expect(await robot.row()).toMatchObject({ stateSeq: 20n, batteryPercent: 20, status: "idle" });
  });

  it("never overwrites another node's write with a held report", async () => {
    const there = robot.at(second);
    await robot.report(1);
    await robot.report(5, { batteryPercent: 5 });
    await there.report(6, { batteryPercent: 6 });
    await writeHeldReports(second.services);
    await writeHeldReports(world.server.services);
    expect(await robot.row()).toMatchObject({ stateSeq: 6n, batteryPercent: 6 });
  });

  it("compares a held report again if another node has changed the robot", async () => {
    await robot.report(1);
    await robot.report(5, { batteryPercent: 5 });
    await robot.at(second).report(4, { emergencyStop: "manual" });
    expect(await robot.row()).toMatchObject({ status: "error", stateSeq: 4n });
    await writeHeldReports(world.server.services);
    expect(await robot.row()).toMatchObject({ status: "idle", emergencyStop: "none", stateSeq: 5n });
    expect(await robotEvents(world.ctx, robot.id)).toHaveLength(3);
  });

  it("keeps the newest report from any node", async () => {
    const there = robot.at(second);
    const seqs = Array.from({ length: 40 }, (_, index) => index + 1).toSorted(() => Math.random() - 0.5);
    await Promise.all(
      seqs.map((seq) =>
        (seq % 2 === 0 ? robot : there).report(seq, { charging: seq % 3 === 0, batteryPercent: seq }),
      ),
    );
    await Promise.all([writeHeldReports(world.server.services), writeHeldReports(second.services)]);
    expect(await robot.row()).toMatchObject({ stateSeq: 40n, batteryPercent: 40, status: "idle" });
  });

  it("accepts a lower sequence number once after a restart", async () => {
    await robot.report(500);
    expect(await robot.report(0, { restarted: true })).toMatchObject({ applied: true });
    expect(await robot.report(0, { restarted: true })).toMatchObject({ applied: false });
    expect(await robot.report(1)).toMatchObject({ applied: true });
    await writeHeldReports(world.server.services);
    expect((await robot.row()).stateSeq).toBe(1n);
  });

  it("accepts lower sequence numbers after 45 s without an accepted report", async () => {
    const start = Date.now() + 3_600_000;
    const later = (seconds: number) => robot.at(world.server, new Date(start + seconds * 1000));
    await later(0).report(9_000_000, { driving: true });
    expect(await later(44).report(500)).toMatchObject({ applied: false });
    expect(await later(45).report(501, { driving: true })).toMatchObject({ applied: true });
    expect(await robot.row()).toMatchObject({ stateSeq: 501n, status: "executing" });
    expect(await later(46).report(502)).toMatchObject({ applied: true });
    expect(await robot.row()).toMatchObject({ stateSeq: 502n, status: "idle" });
  });

  it("passes every idle report of a robot with a mission to the mission", async () => {
    await robot.report(1);
    const mission = await insertTestMission(world.ctx, { robotId: robot.id, status: "running" });
    await world.ctx.db.robot.updateMany({ where: { id: robot.id }, data: { currentMissionId: mission } });
    await robot.report(2);
    expect(await world.ctx.db.mission.findFirst({ where: { id: mission } })).toMatchObject({
      ...{ status: "running", idleReports: 1 },
    });
    await robot.report(3);
    expect(await world.ctx.db.mission.findFirst({ where: { id: mission } })).toMatchObject({
      ...{ status: "failed", error: { type: "robot_lost_mission" } },
    });
  });

  it("passes a change of the operating mode to the mission", async () => {
    await robot.report(1, { driving: true });
    const mission = await insertTestMission(world.ctx, { robotId: robot.id, status: "running" });
    await world.ctx.db.robot.updateMany({ where: { id: robot.id }, data: { currentMissionId: mission } });
    await robot.report(2, { driving: true, operatingMode: "manual" });
    expect(await world.ctx.db.mission.findFirst({ where: { id: mission } })).toMatchObject({
      ...{ status: "failed", error: { type: "manual_takeover" } },
    });
  });

  it("keeps one sample per half minute", async () => {
    const start = new Date("2026-11-20T10:00:00Z").getTime();
    const later = (seconds: number) => robot.at(world.server, new Date(start + seconds * 1000));
    for (const [index, seconds] of [1, 12, 29.9, 30, 44, 61].entries()) {
      await later(seconds).report(index + 1, { batteryPercent: index + 1, position: { x: 1, y: 2 } });
      await writeHeldReports(world.server.services);
    }
    const samples = await world.ctx.db.robotSample.findMany({
      where: { robotId: robot.id },
      orderBy: { at: "asc" },
    });
    expect(samples.map(({ at, batteryPercent }) => [(at.getTime() - start) / 1000, batteryPercent])).toEqual([
      [0, 1],
      [30, 4],
      [60, 6],
    ]);
    expect(samples[0]).toMatchObject({ status: "idle", position: { x: 1, y: 2, localized: true } });
  });

  it("returns the control state", async () => {
    await world.ctx.db.agent.updateMany({ where: { id: robot.id }, data: { controlState: "paused" } });
    expect(await robot.report(1)).toEqual({ applied: true, controlState: "paused" });
    const other = await world.another();
    const theirs = await createRobot(world.server, other.workspaceId);
    await emergencyStop(userCtx(world.server, other.workspaceId, "operator"), { reason: "x" });
    expect(await theirs.report(1)).toMatchObject({ controlState: "stopped" });
  });

  it.each([
    [{ stateSeq: -1 }, "stateSeq"],
    [{ stateSeq: 1.5 }, "stateSeq"],
    [{ batteryPercent: 101 }, "batteryPercent"],
    [{ position: { x: "1", y: 2 } }, "position.x"],
    [{ errors: [{ type: "x", level: "bad" }] }, "errors.0.level"],
    [{ errors: Array.from({ length: 65 }, () => ({ type: "x", level: "fatal" })) }, "errors"],
    [{ loads: [{ a: "x".repeat(5000) }] }, "loads.0"],
    [{ loads: [{ a: "\0" }] }, "loads.0"],
    [{ operatingMode: "autonomous" }, "operatingMode"],
  ])("rejects %j, and names the field", async (fields, field) => {
    const report = reportRobotState(
      robot.ctx,
      JSON.parse(JSON.stringify({ stateSeq: 1, operatingMode: "automatic", ...fields })),
    );
    await expect(report).rejects.toMatchObject({ code: "validation_failed", details: { field } });
  });

  it("rejects an actor without the scope, users, the system, and agents that are not robots", async () => {
    const state = { stateSeq: 1, operatingMode: "automatic" } as const;
    const { workspaceId } = world;
    const without = agentCtx(world.server, { id: robot.id, workspaceId }, { scopes: ["robots:read"] });
    expect(await getErrorCode(reportRobotState(without, state))).toBe("insufficient_scope");
    expect(await getErrorCode(reportRobotState(userCtx(world.server, workspaceId, "owner"), state))).toBe(
      "forbidden",
    );
    expect(await getErrorCode(reportRobotState(world.ctx, state))).toBe("forbidden");
    const software = agentCtx(world.server, { id: await insertTestAgent(world.ctx), workspaceId });
    expect(await getErrorCode(reportRobotState(software, state))).toBe("not_a_robot");
  });

  it("finds no robot of another workspace", async () => {
    const { workspaceId } = await world.another();
    const outsider = agentCtx(world.server, { id: robot.id, workspaceId });
    expect(await getErrorCode(reportRobotState(outsider, { stateSeq: 1, operatingMode: "automatic" }))).toBe(
      "not_a_robot",
    );
  });
});
