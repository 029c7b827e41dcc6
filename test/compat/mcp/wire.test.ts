import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { suspendWorkspace } from "../../../src/domain/workspaces/suspend-workspace.ts";
import { type Answered, ERAS, createMcpClient, modernHeaders, modernMeta } from "../../support/mcp.ts";
import { listToolCalls } from "../../support/mcp-calls.ts";
import type { PopulatedWorkspace } from "../../support/populated-workspace.ts";
import { sendRaw } from "../../support/raw-request.ts";
import { type TestAnswer, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

function post(body: unknown, headers: Record<string, string> = {}) {
  return world.agent.post("/mcp", body, headers);
}

function errorOf({ status, body }: TestAnswer) {
  return { status, id: body.id, code: body.error?.code };
}

describe("POST /mcp", () => {
  it("says to callers without a valid token how to send one, and takes no cookie", async () => {
    for (const headers of [{}, { authorization: "Bearer agt_dead" }, { cookie: "_agent_ops_session=x" }]) {
      const answer = await createTestClient(world.server.url, undefined, headers).post("/mcp", LIST);
      expect(errorOf(answer)).toEqual({ status: 401, id: null, code: -32600 });
      expect(answer.body.error.message).toMatch(/mint one with POST \/api\/v1\/agent_tokens/);
      expect(answer.headers.get("www-authenticate")).toMatch(
        /^Bearer realm="agent-ops", error="invalid_token", error_description="[ -~]+"$/,
      );
    }
  });

  it("says so too to clients that look for OAuth, which there isn't", async () => {
    const client = createTestClient(world.server.url);
    const registration = await client.post("/register", { client_name: "x", redirect_uris: [] });
    expect(registration.status).toBe(400);
    expect(registration.body).toEqual({
      error: "invalid_client_metadata",
      error_description: expect.stringMatching(/^There is no sign-in here\. .*\/api\/v1\/agent_tokens/),
    });
    const names = ["oauth-protected-resource", "oauth-protected-resource/mcp", "oauth-authorization-server"];
    for (const name of names) {
      const { status, body } = await client.get(`/.well-known/${name}`);
      expect([status, body.code]).toEqual([404, "not_found"]);
    }
  });

  it("answers pages of other sites and of names that were made to point here with 403 and 421", async () => {
    for (const origin of ["https://evil.example", "null", "http://127.0.0.1.evil.example"]) {
      expect(errorOf(await post(LIST, { origin }))).toEqual({ status: 403, id: null, code: -32600 });
    }
    const loopback = await post(LIST, { origin: "http://localhost:6274" });
    expect(loopback.status).toBe(200);
    expect(loopback.headers.get("access-control-allow-origin")).toBeNull();
    const rebound = await sendRaw(world.server.url, {
      method: "POST",
      path: "/mcp",
      headers: { host: "evil.example", "content-type": "application/json" },
      body: JSON.stringify(LIST),
    });
    expect(rebound.status).toBe(421);
  });

  it("answers GET and DELETE with 405", async () => {
    for (const method of ["GET", "DELETE", "PUT"]) {
      const answer = await world.agent.send("/mcp", { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toBe("POST");
    }
  });

  it("rejects what is not one JSON text within its limits", async () => {
    const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${"[".repeat(64)}${"]".repeat(64)}}}`;
    const many = JSON.stringify({ ...LIST, params: { a: Array.from({ length: 50_001 }, () => 0) } });
    const large = JSON.stringify({ ...LIST, params: { a: "x".repeat(262_144) } });
    const results = [
      await post("{", { "content-type": "text/plain" }),
      await post("{", { "content-type": "application/json", "content-encoding": "gzip" }),
      await post(large),
      await post("{"),
      await post(deep),
      await post(many),
      await post('{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}'),
      await post('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":9007199254740993}}'),
    ];
    expect(results.map(errorOf)).toEqual([
      { status: 415, id: null, code: -32600 },
      { status: 415, id: null, code: -32600 },
      { status: 413, id: null, code: -32600 },
      { status: 400, id: null, code: -32700 },
      ...Array.from({ length: 4 }, () => ({ status: 400, id: null, code: -32600 })),
    ]);
  });

  it("rejects what is not a message of JSON-RPC, with its id if it has one", async () => {
    const messages = [
      ...[null, 1, "x", {}, { jsonrpc: "1.0", id: 1, method: "ping" }, { jsonrpc: "2.0", id: 1 }],
      ...[
        { ...LIST, params: [] },
        { ...LIST, id: null },
        { ...LIST, id: 1.5 },
      ],
    ];
    const results = await Promise.all(messages.map((message) => post(JSON.stringify(message))));
    expect(results.map(errorOf)).toEqual(
      [null, null, null, null, 1, 1, 1, null, null].map((id) => ({ status: 400, id, code: -32600 })),
    );
  });

  it("accepts notifications and responses, and does nothing", async () => {
    const messages = [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { _meta: modernMeta(), requestId: 1 } },
      { jsonrpc: "2.0", id: 1, result: {} },
    ];
    for (const message of messages) {
      const answer = await post(message);
      expect([answer.status, answer.text]).toEqual([202, ""]);
    }
  });

  it("answers a suspended workspace with 403", async () => {
    const other = await world.another();
    await suspendWorkspace(other.ctx);
    expect(errorOf(await other.agent.post("/mcp", LIST))).toEqual({ status: 403, id: null, code: -32600 });
  });
});

describe("POST /mcp in versions with a handshake", () => {
  it("initializes in the version that is asked for, else in the newest, without a session", async () => {
    const asked = ["2025-03-26", "2025-06-18", "2025-11-25", "2024-11-05", "2099-01-01"];
    const answers = await Promise.all(
      asked.map((protocolVersion) =>
        post({ ...LIST, method: "initialize", params: { protocolVersion, capabilities: {} } }),
      ),
    );
    const answered = answers.map(({ body }) => body.result.protocolVersion);
    expect(answered).toEqual(["2025-03-26", "2025-06-18", "2025-11-25", "2025-11-25", "2025-11-25"]);
    const { version } = JSON.parse(await readFile("package.json", "utf8"));
    expect(answers[0]?.body).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        protocolVersion: "2025-03-26",
        capabilities: { tools: {}, resources: {}, prompts: {} },
        serverInfo: { name: "agent-ops", title: "Agent Ops", version },
        instructions: expect.any(String),
      },
    });
    expect(answers[0]?.headers.get("mcp-session-id")).toBeNull();
  });

  it("takes a missing version for the oldest, and rejects an unknown one", async () => {
    expect((await post(LIST)).status).toBe(200);
    expect(errorOf(await post(LIST, { "mcp-protocol-version": "2024-11-05" }))).toEqual({
      ...{ status: 400, id: 1, code: -32600 },
    });
  });

  it("answers ping, and unknown methods with an error", async () => {
    expect((await post({ ...LIST, method: "ping" })).body.result).toEqual({});
    expect(errorOf(await post({ ...LIST, method: "sampling/createMessage" }))).toEqual({
      ...{ status: 200, id: 1, code: -32601 },
    });
  });

  it("answers a batch of the version that has them, of at most 20, with each request's answer", async () => {
    const answer = await post([
      LIST,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { ...LIST, id: "b", method: "nothing" },
    ]);
    expect(
      answer.body.map(({ id, result, error }: Answered) => [id, result !== undefined, error?.code]),
    ).toEqual([
      [1, true, undefined],
      ["b", false, -32601],
    ]);
    const few = Array.from({ length: 20 }, (_, id) => ({ ...LIST, id, method: "ping" }));
    expect((await post(few)).body).toHaveLength(20);
    const rejected = [
      await post([]),
      await post([...few, LIST]),
      await post([LIST], { "mcp-protocol-version": "2025-06-18" }),
      await post([{ ...LIST, method: "initialize" }]),
      await post([{ ...LIST, params: { _meta: modernMeta() } }], modernHeaders("tools/list")),
    ];
    expect(rejected.map(errorOf)).toEqual(rejected.map(() => ({ status: 400, id: null, code: -32600 })));
    expect((await post([{ jsonrpc: "2.0", method: "notifications/initialized" }])).status).toBe(202);
  });

  it("counts each request of a batch against the rate limit", async () => {
    const limited = await createWorld({ RATE_LIMIT: "10" });
    const few = Array.from({ length: 9 }, (_, id) => ({ ...LIST, id, method: "ping" }));
    const answers = [await limited.agent.post("/mcp", few), await limited.agent.post("/mcp", few)];
    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    expect(answers[1]?.headers.get("retry-after")).toMatch(/^\d+$/);
    await limited.server.close();
  });
});

describe.each(ERAS)("tools in the %s era", (era) => {
  it("are listed to those who have their scope, in one order", async () => {
    const listed = await createMcpClient(world.agent, era).request("tools/list");
    const tools = listed["tools"] as { name: string }[];
    expect(tools.map(({ name }) => name).toSorted()).toEqual(
      // What they do with another workspace's ids is in test/tenancy.test.ts.
      Object.keys(listToolCalls({} as PopulatedWorkspace["ids"], "")).toSorted(),
    );
    expect(await createMcpClient(world.agent, era).request("tools/list")).toEqual(listed);
    const other = createMcpClient(await world.agentWith("messages:read"), era);
    const few = (await other.request("tools/list"))["tools"] as { name: string }[];
    expect(few.map(({ name }) => name)).not.toContain("task_list");
    expect(await other.fail("task_list")).toMatchObject({
      code: "insufficient_scope",
      detail: "This requires the scope tasks:read.",
    });
  });

  it("answer unknown names and other arguments with errors", async () => {
    const client = createMcpClient(world.agent, era);
    for (const params of [{ name: "nothing" }, { name: "task_list", arguments: [] }, {}]) {
      const { status, body } = await client.send("tools/call", params);
      expect([status, body.error.code]).toEqual([200, -32602]);
    }
    expect(await client.fail("task_list", { limit: 101 })).toEqual({
      status: 422,
      code: "validation_failed",
      detail: "limit: must be a whole number from 1 to 100",
      field: "limit",
      errors: [{ field: "limit", detail: "must be a whole number from 1 to 100" }],
    });
    expect(await client.fail("task_list", { queues: "a" })).toMatchObject({
      code: "unknown_field",
      detail: "queues: is unknown: did you mean queue?",
    });
  });
});
