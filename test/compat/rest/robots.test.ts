import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { listRobots } from "../../../src/domain/robots/list-robots.ts";
import { insertRobots, insertTestAgent, insertTestMission } from "../../support/factories.ts";
import { describeGuard } from "../../support/problem.ts";
import type { TestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const ROBOTS = "/api/v1/operator/robots";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describeGuard({ path: ROBOTS, scope: "robots:read" }, () => world);

/** Requests the whole list, and compares its order with the database's. */
async function expectAll(agent: TestClient, ctx: Ctx, count: number): Promise<void> {
  const stored = await ctx.db.robot.findMany({ orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
  const { status, body } = await agent.get(ROBOTS);
  expect(status).toBe(200);
  expect(body.robots).toHaveLength(count);
  expect(body.robots.map(({ id }: { id: string }) => id)).toEqual(stored.map(({ id }) => id));
}

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

  it("returns every robot of a long list, in order and in several pages", async () => {
    const { agent, ctx } = await world.another();
    await insertRobots(ctx, { count: 1001, errorBytes: 10 });
    expect(await listRobots(ctx, { all: true })).toMatchObject({ total: 1001, hasNextPage: true });
    await expectAll(agent, ctx, 1001);
  });

  it("ends a page at 4 MiB of errors and loads", async () => {
    const { agent, ctx } = await world.another();
    await insertRobots(ctx, { count: 50, errorBytes: 100_000 });
    const { nodes, hasNextPage } = await listRobots(ctx, { all: true });
    expect(hasNextPage).toBe(true);
    expect(nodes.length).toBeLessThan(50);
    await expectAll(agent, ctx, 50);
  });

  it("closes the connection if the credential is revoked before the last page", async () => {
    const { agent, ctx } = await world.another();
    await insertRobots(ctx, { count: 300, errorBytes: 100_000 });
    const { token } = (await agent.post("/api/v1/agent_tokens", {})).body;
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(world.server.url + ROBOTS, { headers });
    expect(answer.status).toBe(200);
    expect((await agent.post("/api/v1/tokens/revoke", { token })).status).toBe(200);
    await expect(answer.text()).rejects.toThrow("terminated");
  });

  it("doesn't list software agents", async () => {
    const { agent, ctx } = await world.another();
    await insertTestAgent(ctx, "software");
    expect((await agent.get(ROBOTS)).body).toEqual({ robots: [] });
  });
});
