import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestClient } from "../../support/test-client.ts";
import { describeGuard, expectFields, expectProblem } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const TOKENS = "/api/v1/socket_tokens";
const NOW = new Date("2100-11-21T10:00:45.678Z");

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld({}, NOW);
});

afterAll(() => world.server.close());

describeGuard({ method: "POST", path: TOKENS }, () => world);

function after(seconds: number): string {
  return new Date(NOW.getTime() + seconds * 1000).toISOString();
}

describe("POST /api/v1/socket_tokens", () => {
  it("mints a token with all scopes of its credential for 600 seconds", async () => {
    const { status, headers, body } = await world.agent.post(TOKENS);
    expect(status).toBe(201);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      token: expect.stringMatching(/^ags_[0-9A-Za-z]{49}$/),
      socket_token: body.token,
      token_type: "Socket",
      expires_in: 600,
      expires_at: after(600),
      scopes: (await world.agent.get("/api/v1/whoami")).body.scopes,
      url: `${world.server.url.replace("http", "ws")}/graphql`,
      protocol: "graphql-transport-ws",
    });
  });

  it("mints a token with some of the scopes of an access token", async () => {
    const minted = await world.agent.post("/api/v1/agent_tokens", {
      scopes: ["tasks:read", "messages:read"],
    });
    const agent = createTestClient(world.server.url, minted.body.token);
    expect((await agent.post(TOKENS)).body.scopes).toEqual(["messages:read", "tasks:read"]);
    expect((await agent.post(TOKENS, { scopes: ["tasks:read"] })).body.scopes).toEqual(["tasks:read"]);
    // The key has it, but not the token.
    expectProblem(await agent.post(TOKENS, { scopes: ["tasks:write"] }), 400, "invalid_scope");
  });

  it.each([[[]], [["tasks:fly"]], [[""]], [["tasks:read", "tasks:read\0"]]])(
    "rejects the scopes %j",
    async (scopes) => {
      expectProblem(await world.agent.post(TOKENS, { scopes }), 400, "invalid_scope");
    },
  );

  it("expires no later than the access token that mints it", async () => {
    const minted = await world.agent.post("/api/v1/agent_tokens", { expires_in: 599 });
    const { body } = await createTestClient(world.server.url, minted.body.token).post(TOKENS);
    expect([body.expires_in, body.expires_at]).toEqual([599, after(599)]);
  });

  it("expires no later than the API key behind it", async () => {
    const key = await world.agentWith("tasks:read");
    const minted = await key.post("/api/v1/agent_tokens");
    const { credential } = (await key.get("/api/v1/whoami")).body;
    await world.server.database.query("UPDATE api_key SET expires_at = $2 WHERE id = $1", [
      credential.id,
      after(90),
    ]);
    for (const agent of [key, createTestClient(world.server.url, minted.body.token)]) {
      expect((await agent.post(TOKENS)).body).toMatchObject({ expires_in: 90, expires_at: after(90) });
    }
  });

  it("opens many sockets, or one if requested", async () => {
    const singleUse = async (body: object) => {
      const { id } = (await world.agent.post(TOKENS, body)).body;
      return world.server.database.query("SELECT single_use FROM socket_token WHERE id = $1", [id]);
    };
    expect(await singleUse({})).toEqual([{ single_use: false }]);
    expect(await singleUse({ single_use: false })).toEqual([{ single_use: false }]);
    expect(await singleUse({ single_use: true })).toEqual([{ single_use: true }]);
  });

  it("always has the same lifetime", async () => {
    const { body } = await world.agent.post(TOKENS);
    expect([body.expires_in, body.expires_at]).toEqual([600, after(600)]);
    for (const asked of [{ expires_in: 86_400 }, { expires_at: after(86_400) }]) {
      expectProblem(await world.agent.post(TOKENS, asked), 422, "unknown_field");
    }
  });

  it.each([
    ["single_use", "yes"],
    ["single_use", null],
    ["scopes", "tasks:read"],
    ["scopes.0", [5]],
  ])("rejects a wrong %s (case %#)", async (field, value) => {
    const [member = ""] = field.split(".");
    expectFields(await world.agent.post(TOKENS, { [member]: value }), field);
  });

  it("is not accepted by the HTTP API", async () => {
    const { token } = (await world.agent.post(TOKENS)).body;
    expectProblem(
      await createTestClient(world.server.url, token).get("/api/v1/whoami"),
      401,
      "invalid_token",
    );
  });
});
