import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertMissions, insertTestAgent, insertTestMission } from "../../support/factories.ts";
import { describeGuard } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const MISSIONS = "/api/v1/operator/missions";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describeGuard({ path: MISSIONS, scope: "missions:read" }, () => world);

describe("GET /api/v1/operator/missions", () => {
  it("returns all fields of a mission", async () => {
    const { agent, ctx } = await world.another();
    const robotId = await insertTestAgent(ctx, "robot");
    const contextId = crypto.randomUUID();
    const id = await insertTestMission(ctx, {
      kind: "inspection",
      robotId,
      contextId,
      status: "running",
      progress: 0.25,
      priority: 9,
      minBatteryPercent: 20,
      selector: { fleet: "north" },
      estimatedDurationSeconds: 600,
      startedAt: new Date("2100-11-21T10:00:45.678Z"),
    });
    const { status, body } = await agent.get(MISSIONS);
    expect(status).toBe(200);
    expect(body.missions).toMatchObject([
      {
        id,
        title: "Bring the pallet",
        kind: "inspection",
        robot_id: robotId,
        context_id: contextId,
        status: "running",
        progress: 0.25,
        priority: 9,
        min_battery: 20,
        selector: { fleet: "north" },
        estimated_duration_s: 600,
        deadline_at: null,
        created_by: { type: "system", id: null, name: "test" },
        started_at: "2100-11-21T10:00:45.678Z",
      },
    ]);
  });

  it("returns every mission of a long list, in order", async () => {
    const { agent, ctx } = await world.another();
    await insertMissions(ctx, 2001);
    const stored = await ctx.db.mission.findMany({ orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
    const { body } = await agent.get(MISSIONS);
    expect(body.missions.map(({ id }: { id: string }) => id)).toEqual(stored.map(({ id }) => id));
  });

  it("lists missions newest first", async () => {
    const { agent, ctx } = await world.another();
    const old = await insertTestMission(ctx, { createdAt: new Date("2020-01-01T00:00:00Z") });
    const fresh = await insertTestMission(ctx);
    const { body } = await agent.get(MISSIONS);
    expect(body.missions.map(({ id }: { id: string }) => id)).toEqual([fresh, old]);
  });
});
