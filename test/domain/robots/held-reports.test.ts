import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeHeldReports } from "../../../src/domain/robots/held-reports.ts";
import { robotReport } from "../../../src/domain/robots/robot-report.ts";
import { type HeldReport, writeReports } from "../../../src/domain/robots/write-reports.ts";
import { holdLock } from "../../support/locked-table.ts";
import { PATIENCE } from "../../support/patience.ts";
import { recordStatements } from "../../support/recorded-statements.ts";
import { type TestRobot, createRobot } from "../../support/robots.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let second: TestServer;

beforeAll(async () => {
  world = await createWorld();
  second = await startOn(world.server.database);
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

/** Robots of different workspaces, whose next report is only telemetry. */
async function createDrivingRobots(count: number): Promise<[TestRobot, ...TestRobot[]]> {
  const robots: TestRobot[] = [];
  for (let n = 0; n < count; n++) {
    const { workspaceId } = await world.another();
    const robot = await createRobot(world.server, workspaceId);
    await robot.report(1, { driving: true });
    robots.push(robot);
  }
  const [first, ...others] = robots;
  if (first === undefined) throw new Error("no robots");
  return [first, ...others];
}

async function report(robots: readonly TestRobot[], stateSeq: number): Promise<void> {
  for (const robot of robots) await robot.report(stateSeq, { driving: true });
}

async function readSequence(robot: TestRobot): Promise<bigint> {
  return (await robot.row()).stateSeq;
}

describe("writeHeldReports", () => {
  it("writes the reports of others while a workspace is locked, and then its newest", async () => {
    const [locked, ...others] = await createDrivingRobots(6);
    await report([locked, ...others], 2);
    const lock = await holdLock(
      world.server.database,
      "SELECT 1 FROM collection_total WHERE workspace_id = $1 FOR UPDATE",
      [locked.ctx.workspaceId],
    );
    const writing = writeHeldReports(world.server.services);
    for (const robot of others) await expect.poll(() => readSequence(robot), PATIENCE).toBe(2n);
    await report([locked, ...others], 3);
    const again = writeHeldReports(world.server.services);
    for (const robot of others) await expect.poll(() => readSequence(robot), PATIENCE).toBe(3n);
    expect(await readSequence(locked)).toBe(1n);
    await lock.release();
    await Promise.all([writing, again]);
    expect(await readSequence(locked)).toBe(3n);
  });

  it("writes the reports of others if those of a workspace can't be written", async () => {
    const [broken, other] = await createDrivingRobots(2);
    if (other === undefined) throw new Error("no other robot");
    await report([broken, other], 7);
    const { query } = world.server.database;
    await query(
      `ALTER TABLE robot ADD CONSTRAINT broken CHECK (id <> '${broken.id}' OR state_seq <> 7) NOT VALID`,
    );
    await writeHeldReports(world.server.services);
    await query("ALTER TABLE robot DROP CONSTRAINT broken");
    expect([await readSequence(broken), await readSequence(other)]).toEqual([1n, 7n]);
  });

  it("writes the other reports if one can't be written, also of another workspace", async () => {
    const { workspaceId } = await world.another();
    const gone = await createRobot(world.server, workspaceId);
    const other = await createRobot(world.server, world.workspaceId);
    for (const robot of [gone, other]) await robot.report(1, { driving: true });
    for (const robot of [gone, other]) await robot.report(5, { driving: true });
    await world.server.database.query("DELETE FROM robot_sample WHERE robot_id = $1", [gone.id]);
    await world.server.database.query("DELETE FROM robot WHERE id = $1", [gone.id]);
    // Changed meanwhile, so that the held report has to be compared again.
    await other.at(second).report(4);
    await writeHeldReports(world.server.services);
    expect(await other.row()).toMatchObject({ stateSeq: 5n, status: "executing" });
  });
});

describe("writeReports", () => {
  it("writes large reports in several statements", async () => {
    const { workspaceId } = await world.another();
    const loads = Array.from({ length: 32 }, () => ({ text: "x".repeat(4000) }));
    const report = robotReport.parse({ stateSeq: 2, operatingMode: "automatic", driving: true, loads });
    const held: HeldReport[] = [];
    for (let n = 0; n < 12; n++) {
      const robot = await createRobot(world.server, workspaceId);
      await robot.report(1, { driving: true });
      const { generation } = await robot.row();
      held.push({ workspaceId, robotId: robot.id, generation, at: null, report });
    }
    const { services, asked } = recordStatements(world.server.services);
    expect(await writeReports(services, held)).toEqual(new Set(held.map(({ robotId }) => robotId)));
    const sizes = asked.map(({ values }) => String(values[0]).length);
    expect(sizes).toHaveLength(2);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_100_000);
  });
});
