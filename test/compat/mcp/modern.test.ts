import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMcpClient, modernHeaders, modernMeta } from "../../support/mcp.ts";
import type { TestAnswer } from "../../support/test-client.ts";
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

describe("POST /mcp in 2026-07-28", () => {
  it("discovers without a handshake", async () => {
    const answer = await post(
      { ...LIST, method: "server/discover", params: { _meta: modernMeta() } },
      modernHeaders("server/discover"),
    );
    expect(answer.body.result).toEqual({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: {
        tools: {},
        resources: { subscribe: true },
        prompts: {},
        extensions: { "io.modelcontextprotocol/tasks": {} },
      },
      instructions: expect.any(String),
      ttlMs: 300_000,
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": expect.objectContaining({ name: "agent-ops" }) },
    });
  });

  it("rejects headers that are missing or don't say what the body says", async () => {
    const call = { ...LIST, method: "tools/call", params: { name: "täsk", _meta: modernMeta() } };
    const encoded = `=?base64?${Buffer.from("täsk").toString("base64")}?=`;
    const full: Record<string, string> = { ...modernHeaders("tools/call"), "mcp-name": encoded };
    const { "mcp-name": _name, ...nameless } = full;
    const { "mcp-method": _method, ...methodless } = full;
    const { "mcp-protocol-version": _version, ...versionless } = full;
    const rejected = [
      ...[nameless, methodless, versionless],
      ...[
        { ...full, "mcp-name": "task_list" },
        { ...full, "mcp-name": "=?base64?dMOkc2s?=" },
        { ...full, "mcp-name": "=?base64?/w==?=" },
        { ...full, "mcp-method": "tools/list" },
        { ...full, "mcp-protocol-version": "2025-11-25" },
      ],
    ];
    for (const headers of rejected) {
      expect(errorOf(await post(call, headers))).toEqual({ status: 400, id: 1, code: -32020 });
    }
    // The name is none of a tool.
    expect(errorOf(await post(call, full))).toEqual({ status: 200, id: 1, code: -32602 });
    const initialize = await post(
      { ...LIST, method: "initialize", params: { protocolVersion: "2026-07-28" } },
      modernHeaders("initialize"),
    );
    expect(errorOf(initialize)).toEqual({ status: 400, id: 1, code: -32020 });
  });

  it("rejects other versions, and requests that don't say what their client can do", async () => {
    const meta = modernMeta();
    const other = { ...meta, "io.modelcontextprotocol/protocolVersion": "2027-01-01" };
    const answer = await post(
      { ...LIST, params: { _meta: other } },
      { ...modernHeaders("tools/list"), "mcp-protocol-version": "2027-01-01" },
    );
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({
      code: -32022,
      data: { supported: ["2026-07-28"], requested: "2027-01-01" },
    });
    const [version, capabilities] = Object.entries(meta).map(([name, value]) => ({ [name]: value }));
    for (const params of [undefined, {}, { _meta: version }, { _meta: capabilities }]) {
      const rejected = await post({ ...LIST, params }, modernHeaders("tools/list"));
      expect(errorOf(rejected)).toEqual({ status: 400, id: 1, code: -32602 });
    }
  });

  it("answers methods that it doesn't have with 404 and an error of JSON-RPC", async () => {
    const client = createMcpClient(world.agent, "modern");
    const names = ["nothing", "ping", "initialize", "logging/setLevel", "resources/subscribe", "tasks/list"];
    for (const method of names) {
      const { status, body } = await client.send(method);
      expect([status, body.error.code]).toEqual([404, -32601]);
    }
  });
});
