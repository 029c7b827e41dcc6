import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestClient } from "../../support/test-client.ts";
import { describeGuard } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const WHOAMI = "/api/v1/whoami";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describeGuard({ path: WHOAMI }, () => world);

describe("GET /api/v1/whoami", () => {
  it("describes an API key", async () => {
    const { status, body } = await world.agent.get(WHOAMI);
    expect(status).toBe(200);
    expect(body).toEqual({
      actor: { type: "agent", id: expect.any(String), name: "Primary agent" },
      workspace: { id: world.workspaceId, name: "Test workspace" },
      credential: { id: expect.any(String), kind: "api_key", expires_at: null },
      scopes: expect.arrayContaining(["traces:write", "gateway:check", "agent_commands:read"]),
    });
    expect(body.scopes).toEqual(body.scopes.toSorted());
  });

  it("describes an access token", async () => {
    const asked = { scopes: ["tasks:read"], agent: { handle: "robot-7", name: "Robot seven" } };
    const made = (await world.agent.post("/api/v1/agent_tokens", asked)).body;
    const { body } = await createTestClient(world.server.url, made.token).get(WHOAMI);
    expect(body).toEqual({
      actor: { type: "agent", id: made.agent_id, name: "Robot seven" },
      workspace: { id: world.workspaceId, name: "Test workspace" },
      credential: { id: made.id, kind: "agent_token", expires_at: made.expires_at },
      scopes: ["tasks:read"],
    });
  });

  it("requires no scope", async () => {
    const key = await world.agentWith("traces:write");
    expect((await key.get(WHOAMI)).body.scopes).toEqual(["traces:write"]);
  });
});
