import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertTestAgent, insertTestMission } from "../../support/factories.ts";
import { describeGuard } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const ROBOTS = "/api/v1/operator/robots";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describeGuard({ path: ROBOTS, scope: "robots:read" }, () => world);

describe("GET /api/v1/operator/robots", () => {
  it("returns all fields of a robot", async () => {
    const { agent, ctx } = await world.another();
    const id = await insertTestAgent(ctx, "robot");
    const missionId = await insertTestMission(ctx, { robotId: id });
    await ctx.db.robot.updateMany({
      where: { id },
      data: {
        manufacturer: "Acme",
        operatingMode: "teach_in",
        status: "executing",
        batteryPercent: 81.5,
        position: { x: 1, y: -2.5 },
        emergencyStop: "remote",
        currentMissionId: missionId,
        stateSeq: 9_007_199_254_740_991n,
      },
    });
    const { status, body } = await agent.get(ROBOTS);
    expect(status).toBe(200);
    expect(body.robots).toMatchObject([
      {
        id,
        manufacturer: "Acme",
        model: null,
        operating_mode: "teach_in",
        status: "executing",
        battery_percent: 81.5,
        position: { x: 1, y: -2.5 },
        emergency_stop: "remote",
        current_mission_id: missionId,
        state_seq: 9_007_199_254_740_991,
        accepts_missions: true,
      },
    ]);
  });

  it("doesn't list software agents", async () => {
    const { agent, ctx } = await world.another();
    await insertTestAgent(ctx, "software");
    expect((await agent.get(ROBOTS)).body).toEqual({ robots: [] });
  });
});
