import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sweepExecutions } from "../../../../src/domain/executions/sweep-executions.ts";
import { createTask } from "../../../../src/domain/tasks/create-task.ts";
import { createPolicy } from "../../../../src/domain/policies/create-policy.ts";
import { ERAS } from "../../../support/mcp.ts";
import { REFUND, startMcpUpstream } from "../../../support/mcp-upstream.ts";
import {
  type ProxyScene,
  type ToolResult,
  UPSTREAM_SECRET,
  createProxyScene,
  createProxyWorld,
} from "../../../support/proxy-scene.ts";
import { readServerSpans } from "../../../support/server-spans.ts";
import type { TestWorld } from "../../../support/test-world.ts";

let world: TestWorld;
let scene: ProxyScene;

beforeAll(async () => {
  world = await createProxyWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createProxyScene(world);
});

async function callTool(name: string, given?: object, meta: object = {}): Promise<ToolResult> {
  return scene.call("crm", { name, arguments: given, _meta: meta });
}

describe("a call through the proxy", () => {
  it.each(ERAS)("reaches the server with our credential, and its answer the agent (%s)", async (era) => {
    const upstream = await startMcpUpstream({ era });
    await scene.register("crm", upstream.url);
    const params = { name: "refund", arguments: { amount: 5, __proto__: null }, _meta: { progressToken: 7 } };
    const answer = await scene
      .clientOf("crm", era)
      .send("tools/call", { ...params, task: { ttl: 1 }, extra: 1 });
    expect(answer.body.result.content).toEqual([{ type: "text", text: 'did {"amount":5}' }]);
    expect(answer.headers.get("content-type")).toBe("application/json");
    const [sent] = upstream.list("tools/call");
    expect(Object.keys(sent?.params ?? {})).toEqual(["name", "arguments", "_meta"]);
    expect(sent?.headers).toMatchObject({
      authorization: `Bearer ${UPSTREAM_SECRET}`,
      "mcp-method": "tools/call",
      "mcp-name": "refund",
      "mcp-protocol-version": era === "modern" ? "2026-07-28" : "2025-11-25",
      traceparent: expect.stringMatching(/^00-/),
    });
    expect(sent?.params["_meta"]).toMatchObject({ progressToken: 7, traceparent: sent?.headers.traceparent });
    expect(JSON.stringify(sent)).not.toContain("agt_");
    expect(answer.text + JSON.stringify([...answer.headers])).not.toContain(UPSTREAM_SECRET);
  });

  it("is stored with its execution before the server gets it, and how it ended after", async () => {
    const seen: unknown[] = [];
    const upstream = await startMcpUpstream({
      onCall: async () => {
        seen.push(await scene.listCalls(), await scene.ctx.db.execution.findMany({ where: {} }));
        return { content: [], isError: true };
      },
    });
    const server = await scene.register("crm", upstream.url);
    await callTool("refund", { amount: 5 });
    expect(seen).toMatchObject([
      [{ status: "started", serverId: server.id, serverSlug: "crm", tool: "refund", agentId: scene.agentId }],
      [{ status: "started", leaseSeconds: 630, resourceId: "crm.refund", approvalId: null }],
    ]);
    const [call] = await scene.listCalls();
    const [execution] = await scene.ctx.db.execution.findMany({ where: {} });
    expect(call).toMatchObject({
      id: execution?.id,
      status: "completed",
      isError: true,
      endedAt: expect.any(Date),
    });
    expect(call?.answerBytes).toBeGreaterThan(10);
    expect(execution).toMatchObject({ status: "completed", decisionId: call?.decisionId });
  });

  it("is a span in the agent's trace, within which the server's spans are", async () => {
    const upstream = await startMcpUpstream();
    await scene.register("crm", upstream.url);
    const [traceId, spanId] = ["1".repeat(32), "2".repeat(16)];
    await callTool("refund", {}, { traceparent: `00-${traceId}-${spanId}-01` });
    const spans = await readServerSpans(world.server, scene.ctx.workspaceId);
    const span = spans.find(({ name }) => name === "execute_tool crm.refund");
    expect(span).toMatchObject({ parentSpanId: spanId, place: { traceId }, status: "ok" });
    const sent = upstream.list("tools/call")[0]?.headers.traceparent;
    expect(sent).toBe(`00-${traceId}-${span?.place.spanId}-01`);
  });

  it("belongs to the task that its agent works on, if that is one, or else to the one that it names", async () => {
    const upstream = await startMcpUpstream();
    await scene.register("crm", upstream.url);
    async function callAbout(meta: object = {}): Promise<string | null | undefined> {
      await callTool("refund", {}, meta);
      const [execution] = await scene.ctx.db.execution.findMany({ orderBy: { id: "desc" }, take: 1 });
      return execution?.taskId;
    }
    async function claim(): Promise<string> {
      await createTask(scene.ctx, { title: "Refund", queue: "refunds" });
      const { body } = await scene.agent.post("/api/v1/tasks/claim", { queues: ["refunds"] });
      return body.task.id;
    }
    expect(await callAbout()).toBeNull();
    const first = await claim();
    expect(await callAbout()).toBe(first);
    const second = await claim();
    expect(await callAbout()).toBeNull();
    expect(await callAbout({ "agent-ops/task-id": second })).toBe(second);
  });

  it("is denied by policies with their names, and reaches nobody", async () => {
    const upstream = await startMcpUpstream();
    await scene.register("crm", upstream.url);
    const resources = [{ type: "tool", name: "crm.refund" }];
    const rule = { name: "large refunds", actions: ["tools/call"], resources, effect: "deny" as const };
    await createPolicy(scene.ctx, { ...rule, when: "has(args.amount) && args.amount > 500" });
    const denied = await callTool("refund", { amount: 900 });
    expect(denied).toMatchObject({
      isError: true,
      content: [
        {
          type: "text",
          text: expect.stringMatching(/^Denied by policy large refunds \(decision .{36}\)\.$/),
        },
      ],
      _meta: { "agent-ops/decision": { id: expect.any(String), reason: "policy_deny" } },
    });
    await scene.register("shop", upstream.url);
    const unknown = await scene.clientOf("shop").request("tools/call", { name: "refund", arguments: {} });
    expect(unknown).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^Denied by default deny/) }],
    });
    expect(upstream.list("tools/call")).toEqual([]);
    expect((await callTool("refund", { amount: 500 })).isError).toBeUndefined();
    expect(await scene.listCalls()).toHaveLength(1);
  });

  it("gives what was decided about, whatever the bytes were", async () => {
    const upstream = await startMcpUpstream({
      tools: [
        {
          ...REFUND,
          inputSchema: {
            type: "object",
            properties: { region: { type: "string", "x-mcp-header": "Region" } },
          },
        },
      ],
    });
    await scene.register("crm", upstream.url);
    const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" };
    const body = (args: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"refund","arguments":${args}}}`;
    const bad = [
      '{"amount":1,"amount":900}',
      '{"amount":9007199254740993}',
      `${"[".repeat(70)}${"]".repeat(70)}`,
    ];
    for (const args of bad)
      expect((await scene.agent.post("/mcp/proxy/crm", body(args), headers)).body.error.code).toBe(-32600);
    expect(upstream.list("tools/call")).toEqual([]);
    const odd = '{ "__proto__": {"x": 1}, "a\\u0062": "\\ud83d\\ude00", "region": "Zürich", "n": 1e2 }';
    const sent = {
      ...headers,
      "mcp-param-region": "Paris",
      "mcp-name": "other",
      cookie: "a=b",
      "x-forwarded-for": "1.2.3.4",
    };
    expect((await scene.agent.post("/mcp/proxy/crm", body(odd), sent)).status).toBe(200);
    const [got] = upstream.list("tools/call");
    expect(got?.text).toContain('"arguments":{"__proto__":{"x":1},"ab":"😀","region":"Zürich","n":100}');
    expect(got?.headers["mcp-param-region"]).toBe(`=?base64?${Buffer.from("Zürich").toString("base64")}?=`);
    expect(got?.headers["mcp-name"]).toBe("refund");
    expect([got?.headers.cookie, got?.headers["x-forwarded-for"]]).toEqual([undefined, undefined]);
    const mismatch = await scene.agent.post(
      "/mcp/proxy/crm",
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "refund", _meta: META } },
      { ...headers, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "x" },
    );
    expect(mismatch).toMatchObject({ status: 400, body: { error: { code: -32020 } } });
  });

  const META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };

  it("with a key is made once: the second one is told how the first ended", async () => {
    const upstream = await startMcpUpstream();
    await scene.register("crm", upstream.url);
    const meta = { "agent-ops/idempotency-key": "order-1" };
    expect((await callTool("refund", { amount: 5 }, meta)).isError).toBeUndefined();
    expect(await callTool("refund", { amount: 5 }, meta)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("It is completed.") }],
      _meta: { "agent-ops/execution": { id: expect.any(String), status: "completed" } },
    });
    const other = await callTool("refund", { amount: 6 }, meta);
    expect(other.content[0]?.text).toMatch(/^idempotency_mismatch/);
    expect(upstream.list("tools/call")).toHaveLength(1);
    expect(JSON.stringify(upstream.list("tools/call")[0])).not.toContain("agent-ops/");
  });

  it("with a key is made once, also of many at once", async () => {
    const upstream = await startMcpUpstream();
    await scene.register("crm", upstream.url);
    const meta = { "agent-ops/idempotency-key": "order-2" };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => callTool("refund", { amount: 5 }, meta)),
    );
    expect(answers.filter(({ isError }) => isError !== true)).toHaveLength(1);
    expect(upstream.list("tools/call")).toHaveLength(1);
    expect(await scene.listCalls()).toHaveLength(1);
  });

  it("goes on when its credential is revoked, so that it is known how it ends", async () => {
    const upstream = await startMcpUpstream({
      onCall: async () => {
        const { body } = await scene.agent.get("/api/v1/whoami");
        await scene.agent.delete(`/api/v1/agent_tokens/${body.credential.id}`);
        await sweepExecutions(world.server.services);
        return { content: [{ type: "text", text: String((await scene.listCalls())[0]?.status) }] };
      },
    });
    await scene.register("crm", upstream.url);
    expect((await callTool("refund", {})).content[0]?.text).toBe("started");
    expect(await scene.listCalls()).toMatchObject([{ status: "completed" }]);
    expect((await scene.clientOf("crm").trySend("tools/list")).status).toBe(401);
  });

  it("can be ended by nobody but the proxy", async () => {
    const upstream = await startMcpUpstream({
      onCall: async () => {
        const [execution] = await scene.ctx.db.execution.findMany({ where: {} });
        const path = `/api/v1/gateway/executions/${execution?.id}/complete`;
        const { status } = await scene.agent.post(path, { fence: Number(execution?.fence) });
        return { content: [{ type: "text", text: String(status) }] };
      },
    });
    await scene.register("crm", upstream.url);
    expect((await callTool("refund", {})).content[0]?.text).toBe("409");
  });
});

describe("mcpCalls", () => {
  it("lists calls by server, tool, agent and status, and keeps their number", async () => {
    const upstream = await startMcpUpstream({ tools: [REFUND, { ...REFUND, name: "pay" }] });
    await scene.register("crm", upstream.url);
    await callTool("refund", {});
    await callTool("pay", {});
    async function list(filter: string): Promise<unknown> {
      const { body } = await scene.agent.graphql(
        `{ mcpCalls(filter: ${filter}) { totalCount nodes { tool status } } }`,
      );
      return body.data.mcpCalls;
    }
    const [pay, refund] = ["pay", "refund"].map((tool) => ({ tool, status: "COMPLETED" }));
    expect(await list("{}")).toEqual({ totalCount: 2, nodes: [pay, refund] });
    expect(await list("{ status: COMPLETED }")).toEqual({ totalCount: 2, nodes: [pay, refund] });
    expect(await list('{ tool: "refund", status: COMPLETED }')).toEqual({ totalCount: 1, nodes: [refund] });
    expect(await list("{ status: UNKNOWN }")).toEqual({ totalCount: 0, nodes: [] });
  });
});
