import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAgent, createAgentCommand, createMission } from "../../support/factories.ts";
import { describeGuard } from "../../support/problem.ts";
import { type World, createWorld } from "../../support/world.ts";

const COMMANDS = "/api/v1/operator/agent_commands";

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describeGuard({ path: COMMANDS, scope: "agent_commands:read" }, () => world);

describe("GET /api/v1/operator/agent_commands", () => {
  it("shows a command with all that is known of it", async () => {
    const { agent, ctx } = await world.another();
    const agentId = await createAgent(ctx);
    const missionId = await createMission(ctx);
    const id = await createAgentCommand(ctx, agentId, {
      type: "robot.dock",
      params: { station: "A1" },
      status: "timed_out",
      priority: "urgent",
      missionId,
      progress: 0.5,
      statusDetail: "no answer",
      error: { code: "timeout" },
      createdAt: new Date("2026-11-21T10:00:45.678Z"),
      expiresAt: new Date("2026-11-21T11:00:00Z"),
    });
    const { status, body } = await agent.get(COMMANDS);
    expect(status).toBe(200);
    expect(body.agent_commands).toMatchObject([
      {
        id,
        agent_id: agentId,
        seq: 1,
        type: "robot.dock",
        params: { station: "A1" },
        status: "timed_out",
        priority: "urgent",
        mission_id: missionId,
        task_id: null,
        progress: 0.5,
        status_detail: "no answer",
        result: null,
        error: { code: "timeout" },
        issued_by: { type: "system", id: null, name: "test" },
        created_at: "2026-11-21T10:00:45.678Z",
        expires_at: "2026-11-21T11:00:00.000Z",
      },
    ]);
  });

  it("has no offset: any is ignored", async () => {
    const { agent, ctx } = await world.another();
    const id = await createAgentCommand(ctx, await createAgent(ctx));
    for (const offset of ["1", "100000", "-1", "x", ""]) {
      const { status, body } = await agent.get(`${COMMANDS}?offset=${offset}`);
      expect([status, body.agent_commands[0].id]).toEqual([200, id]);
    }
  });
});
