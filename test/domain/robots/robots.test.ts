import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listRobotSamples } from "../../../src/domain/robots/list-robot-samples.ts";
import { listRobots } from "../../../src/domain/robots/list-robots.ts";
import { readRobot } from "../../../src/domain/robots/read-robot.ts";
import { updateRobot } from "../../../src/domain/robots/update-robot.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { type TestRobot, createRobot, robotEvents } from "../../support/robots.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let robot: TestRobot;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  robot = await createRobot(world.server, world.workspaceId);
});

describe("updateRobot", () => {
  it("changes the given fields with an event and audit event, once", async () => {
    const operator = userCtx(world.server, world.workspaceId, "operator");
    const change = { id: robot.id, acceptsMissions: false, fleet: "hall-a", model: "H 250" };
    expect(await updateRobot(operator, change)).toMatchObject({
      acceptsMissions: false,
      fleet: "hall-a",
      generation: 2,
    });
    expect(await updateRobot(operator, change)).toMatchObject({ generation: 2 });
    expect(await updateRobot(operator, { id: robot.id, fleet: null })).toMatchObject({
      fleet: null,
      model: "H 250",
    });
    expect(await robotEvents(world.ctx, robot.id)).toEqual([
      {
        type: "robot.updated",
        data: { accepts_missions: false, fleet: "hall-a", model: "H 250", generation: 2 },
      },
      { type: "robot.updated", data: { fleet: null, generation: 3 } },
    ]);
    const audited = await world.ctx.db.auditEvent.findMany({
      where: { targetId: robot.id },
      orderBy: { seq: "asc" },
    });
    expect(audited).toMatchObject([
      { action: "robot.updated", changes: { accepts_missions: { from: true, to: false } } },
      { action: "robot.updated", changes: { fleet: { from: "hall-a", to: null } } },
    ]);
  });

  it("requires an operator of the robot's workspace", async () => {
    const change = { id: robot.id, fleet: "x" };
    expect(await getErrorCode(updateRobot(userCtx(world.server, world.workspaceId, "viewer"), change))).toBe(
      "forbidden",
    );
    expect(await getErrorCode(updateRobot(robot.ctx, change))).toBe("forbidden");
    const { workspaceId } = await world.another();
    expect(await getErrorCode(updateRobot(userCtx(world.server, workspaceId, "owner"), change))).toBe(
      "not_found",
    );
  });

  it("rejects an invalid name", async () => {
    const change = { id: robot.id, fleet: "x".repeat(101) };
    await expect(updateRobot(world.ctx, change)).rejects.toMatchObject({ details: { field: "fleet" } });
  });
});

describe("listRobots", () => {
  it("filters by status, fleet and name", async () => {
    const { ctx, workspaceId } = await world.another();
    const [one, two] = [
      await createRobot(world.server, workspaceId),
      await createRobot(world.server, workspaceId),
    ];
    await one.report(1, { charging: true });
    await updateRobot(ctx, { id: two.id, fleet: "yard", model: "50%_Off" });
    const { handle } = await ctx.db.agent.findFirstOrThrow({ where: { id: one.id } });
    const found = async (filter: Parameters<typeof listRobots>[2]) => {
      const { nodes, total } = await listRobots(ctx, {}, filter);
      expect(nodes).toHaveLength(total ?? -1);
      return nodes.map(({ id }) => id);
    };
    expect(await found({})).toEqual([two.id, one.id]);
    expect(await found({ status: "charging" })).toEqual([one.id]);
    expect(await found({ fleet: "yard" })).toEqual([two.id]);
    expect(await found({ fleet: "yard", status: "charging" })).toEqual([]);
    expect(await found({ search: "50%_o" })).toEqual([two.id]);
    expect(await found({ search: "5%" })).toEqual([]);
    expect(await found({ search: handle.toUpperCase() })).toEqual([one.id]);
  });
});

describe("readRobot", () => {
  it("reads a robot, if the caller may and it is of their workspace", async () => {
    expect(await readRobot(world.ctx, robot.id)).toMatchObject({ id: robot.id, status: "offline" });
    const whose = { id: robot.id, workspaceId: world.workspaceId };
    expect(await getErrorCode(readRobot(agentCtx(world.server, whose, { scopes: [] }), robot.id))).toBe(
      "insufficient_scope",
    );
    expect(await getErrorCode(readRobot((await world.another()).ctx, robot.id))).toBe("not_found");
  });
});

describe("listRobotSamples", () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 10, minutes));

  beforeEach(async () => {
    const row = { workspaceId: world.workspaceId, robotId: robot.id, status: "idle" as const };
    await world.ctx.db.robotSample.createMany({
      data: [0, 30, 90].map((minutes) => ({ ...row, at: at(minutes) })),
    });
  });

  it("lists samples of a range, oldest first", async () => {
    const samples = await listRobotSamples(world.ctx, robot.id, { from: at(0), to: at(60) });
    expect(samples.map((sample) => sample.at)).toEqual([at(0), at(30)]);
    expect(await listRobotSamples(world.ctx, robot.id, { to: at(90) })).toHaveLength(2);
  });

  it("rejects a range of more than a day or with its end before its start", async () => {
    const range = { from: at(0), to: at(24 * 60 + 1) };
    await expect(listRobotSamples(world.ctx, robot.id, range)).rejects.toMatchObject({
      details: { field: "from" },
    });
    expect(await getErrorCode(listRobotSamples(world.ctx, robot.id, { from: at(2), to: at(1) }))).toBe(
      "validation_failed",
    );
  });

  it("finds nothing of another workspace's robot", async () => {
    const { ctx } = await world.another();
    expect(await listRobotSamples(ctx, robot.id, { from: at(0), to: at(60) })).toEqual([]);
  });
});
