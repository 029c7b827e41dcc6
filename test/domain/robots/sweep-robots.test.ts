import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sweepExpiredRows } from "../../support/sweep.ts";
import { sweepRobots } from "../../../src/domain/robots/sweep-robots.ts";
import { type TestRobot, createRobot, robotEvents } from "../../support/robots.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

/** Ahead of the server's own sweeps, which must find nothing. */
const START = new Date(Date.now() + 3_600_000);

let world: TestWorld;
let robot: TestRobot;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  robot = await createRobot(world.server, world.workspaceId);
});

function after(seconds: number): Date {
  return new Date(START.getTime() + seconds * 1000);
}

function sweepAt(seconds: number): Promise<number> {
  return sweepRobots(world.server.services, after(seconds));
}

async function readTypes({ id }: TestRobot): Promise<string[]> {
  return (await robotEvents(world.ctx, id)).map(({ type }) => type);
}

describe("sweepRobots", () => {
  it("marks a robot offline after 45 s without a report, once across nodes", async () => {
    await robot.at(world.server, after(0)).report(1, { driving: true });
    await sweepAt(44.9);
    expect((await robot.row()).status).toBe("executing");
    await Promise.all([0, 1, 2].map(() => sweepAt(45)));
    expect(await robot.row()).toMatchObject({
      status: "offline",
      stateAt: after(0),
      generation: 3,
      driving: true,
    });
    expect(await robotEvents(world.ctx, robot.id)).toMatchObject([
      { type: "robot.state_changed" },
      { type: "robot.offline", data: { status: "offline", state_at: after(0).toISOString(), generation: 3 } },
    ]);
  });

  it("doesn't affect robots seen by other means", async () => {
    await robot.at(world.server, after(0)).report(1);
    await world.ctx.db.agent.updateMany({ where: { id: robot.id }, data: { lastSeenAt: after(30) } });
    await sweepAt(60);
    expect((await robot.row()).status).toBe("idle");
    await sweepAt(75);
    expect((await robot.row()).status).toBe("offline");
  });

  it("marks it online with its next report, whatever its sequence number", async () => {
    await robot.at(world.server, after(0)).report(900);
    await sweepAt(50);
    expect(await robot.at(world.server, after(60)).report(3)).toMatchObject({ applied: true });
    expect(await robot.row()).toMatchObject({ status: "idle", stateSeq: 3n });
    expect(await readTypes(robot)).toEqual(["robot.state_changed", "robot.offline", "robot.state_changed"]);
  });

  it("writes no event for a robot that never reported", async () => {
    await sweepAt(1000);
    expect(await readTypes(robot)).toEqual([]);
  });
});

describe("sweep", () => {
  it("deletes samples after 7 days", async () => {
    const ages = [6.9, 7.1, 30].map((days) => new Date(Date.now() - days * 86_400_000));
    const where = { workspaceId: world.workspaceId, robotId: robot.id };
    await world.ctx.db.robotSample.createMany({
      data: ages.map((at) => ({ ...where, at, status: "idle" as const })),
    });
    expect((await sweepExpiredRows(world.server.services))["robot_sample"]).toBe(2);
    const left = await world.ctx.db.robotSample.findMany({ where: { robotId: robot.id } });
    expect(left.map(({ at }) => at)).toEqual([ages[0]]);
  });
});
