import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventsOf } from "../../../support/mcp.ts";
import { type UpstreamRequest, startMcpUpstream } from "../../../support/mcp-upstream.ts";
import {
  type ProxyScene,
  type ToolResult,
  createProxyScene,
  createProxyWorld,
} from "../../../support/proxy-scene.ts";
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

async function refund(): Promise<ToolResult> {
  return scene.call("crm", { name: "refund", arguments: {} });
}

const MINUTE_MS = 60_000;

describe("an answer through the proxy", () => {
  function stream(request: UpstreamRequest, frames: string[]): string {
    const result = { content: [{ type: "text", text: "done" }] };
    return [...frames, JSON.stringify({ jsonrpc: "2.0", id: request.id, result }, null, 1)]
      .map((frame) => `data: ${frame.replaceAll("\n", "\ndata: ")}\n\n`)
      .join("");
  }

  it("that is a stream passes as it comes, without requests to the client", async () => {
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const progress =
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}';
    const upstream = await startMcpUpstream({
      era: "legacy",
      onCall: async (request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream", "set-cookie": "a=b" });
        response.write(`data: ${progress}\n\n`);
        await released;
        response.end(stream(request, []));
        return null;
      },
    });
    await scene.register("crm", upstream.url);
    const response = await fetch(`${world.server.url}/mcp/proxy/crm`, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${scene.token}`, "content-type": "application/json" },
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 3,
        method: "tools/call",
        params: { name: "refund", arguments: {} },
      }),
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("set-cookie")).toBeNull();
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("progressToken")) text += (await reader?.read())?.value ?? "";
    release();
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
      text += part.value;
    const [first, last] = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data);
    expect(first).toBe(progress);
    expect(last).toBe("{");
    expect(text).toContain('"text": "done"');
  });

  it.each([
    [
      "asks the client for something",
      '{"jsonrpc":"2.0","id":9,"method":"sampling/createMessage","params":{}}',
    ],
    ["is no JSON", "<html>"],
    ["is of another request", '{"jsonrpc":"2.0","id":999,"result":{}}'],
    [
      "wants to go on",
      '{"jsonrpc":"2.0","id":ID,"result":{"resultType":"input_required","inputRequests":{}}}',
    ],
  ])("that %s is none: the call is unknown, and people have to look into it", async (_name, frame) => {
    const upstream = await startMcpUpstream({
      onCall: (request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(`data: ${frame.replace("ID", JSON.stringify(request.id))}\n\n`);
        return null;
      },
    });
    await scene.register("crm", upstream.url);
    const answer = await scene.clientOf("crm").send("tools/call", { name: "refund", arguments: {} });
    const result = (answer.body ?? eventsOf(answer.text).at(-1)).result;
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("may have happened") }],
      _meta: { "agent-ops/execution": { status: "unknown" } },
    });
    expect(answer.text).not.toContain("sampling");
    expect(await scene.listCalls()).toMatchObject([{ status: "unknown", isError: null }]);
    expect(upstream.list("tools/call")).toHaveLength(1);
  });

  it("that says that the tools have changed has the server asked for them soon, once a minute at most", async () => {
    const upstream = await startMcpUpstream({
      onCall: (request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n');
        const result = { resultType: "complete", content: [] };
        response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: request.id, result })}\n\n`);
        return null;
      },
    });
    const { id } = await scene.register("crm", upstream.url);
    async function readDue(): Promise<{ readAt: number; dueAt: number }> {
      const where = { workspaceId_id: { workspaceId: scene.ctx.workspaceId, id } };
      const { toolsReadAt, toolsDueAt } = await scene.ctx.db.mcpServer.findUniqueOrThrow({ where });
      return { readAt: toolsReadAt?.getTime() ?? 0, dueAt: toolsDueAt.getTime() };
    }
    const { readAt, dueAt } = await readDue();
    expect(dueAt - readAt).toBeGreaterThan(5 * MINUTE_MS);
    await refund();
    await expect.poll(readDue).toEqual({ readAt, dueAt: readAt + MINUTE_MS });
    await scene.ctx.db.mcpServer.updateMany({
      where: { id },
      data: { toolsReadAt: new Date(readAt - 2 * MINUTE_MS), toolsDueAt: new Date(dueAt) },
    });
    await refund();
    await expect.poll(async () => (await readDue()).dueAt).toBeLessThan(readAt + MINUTE_MS);
  });

  it.each([
    ["401", 401, "refuses our credential"],
    ["302", 302, "can't be reached, or does not answer"],
  ])("of status %s is an error, and the call has failed", async (_name, status, message) => {
    const upstream = await startMcpUpstream({
      onCall: (_request, response) => {
        response.writeHead(status, { "www-authenticate": "Bearer x", location: "http://127.0.0.1:1/" }).end();
        return null;
      },
    });
    await scene.register("crm", upstream.url);
    const answer = await scene.clientOf("crm").send("tools/call", { name: "refund", arguments: {} });
    expect(answer.body.error).toEqual({ code: -32603, message: expect.stringContaining(message) });
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([200, null]);
    expect(await scene.listCalls()).toMatchObject([{ status: "failed", isError: true }]);
  });

  it.each([
    [202, "unknown"],
    [204, "unknown"],
    [500, "unknown"],
    [400, "failed"],
  ])(
    "of status %s without a response is a call that may have happened, unless it is refused",
    async (status, ended) => {
      const upstream = await startMcpUpstream({
        onCall: (_request, response) => {
          response.writeHead(status).end();
          return null;
        },
      });
      await scene.register("crm", upstream.url);
      await scene.clientOf("crm").send("tools/call", { name: "refund", arguments: {} });
      expect(await scene.listCalls()).toMatchObject([{ status: ended }]);
    },
  );

  it("of a connection that breaks is unknown, and nothing is sent again", async () => {
    const upstream = await startMcpUpstream({
      onCall: (_request, response) => {
        response.destroy();
        return null;
      },
    });
    await scene.register("crm", upstream.url);
    const result = await refund();
    expect(result._meta).toMatchObject({ "agent-ops/execution": { status: "unknown" } });
    expect(upstream.list("tools/call")).toHaveLength(1);
    const [call] = await scene.listCalls();
    const [event] = await world.server.database.query<{ type: string }>(
      "SELECT type FROM event WHERE subject_id = $1",
      [call?.id],
    );
    expect(event?.type).toBe("execution.unknown");
  });

  it("of 100 MB ends at its limit", async () => {
    const upstream = await startMcpUpstream({
      onCall: (_request, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const part = "x".repeat(1_000_000);
        function write(left: number): void {
          if (left > 0 && !response.destroyed) response.write(part, () => write(left - 1));
        }
        write(100);
        return null;
      },
    });
    await scene.register("crm", upstream.url);
    const result = await refund();
    expect(result._meta).toMatchObject({ "agent-ops/execution": { status: "unknown" } });
  });

  it("is the server's, but for what only we say", async () => {
    const upstream = await startMcpUpstream({
      onCall: () => ({
        content: [],
        _meta: { "agent-ops/decision": { id: "forged" }, own: 1 },
        structuredContent: { "agent-ops/x": 1 },
      }),
    });
    await scene.register("crm", upstream.url);
    expect(await refund()).toEqual({
      ...{ resultType: "complete", content: [], _meta: { own: 1 } },
      structuredContent: { "agent-ops/x": 1 },
    });
  });

  it("is an error of the protocol if the server's is", async () => {
    const upstream = await startMcpUpstream({
      onCall: ({ id }, response) => {
        const error = { code: -32602, message: "No such account." };
        response.writeHead(400, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id, error }));
        return null;
      },
    });
    await scene.register("crm", upstream.url);
    const answer = await scene.clientOf("crm").send("tools/call", { name: "refund", arguments: {} });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: -32602, message: "No such account." } },
    });
    expect(await scene.ctx.db.execution.findMany({ where: {} })).toMatchObject([
      { status: "failed", effect: "none", error: { message: "No such account." } },
    ]);
  });

  it("of a server that is down is one, at once after five", async () => {
    const upstream = await startMcpUpstream();
    const { id } = await scene.register("crm", upstream.url);
    await upstream.close();
    for (let times = 0; times < 6; times++) {
      const { body } = await scene.clientOf("crm").send("tools/call", { name: "refund", arguments: {} });
      expect(body.error.code).toBe(-32603);
    }
    const where = { workspaceId_id: { workspaceId: scene.ctx.workspaceId, id } };
    const { health, lastError } = await scene.ctx.db.mcpServer.findUniqueOrThrow({ where });
    expect([health, lastError]).toEqual(["down", "No connection could be made of late."]);
    expect((await scene.listCalls()).map(({ status }) => status)).toEqual(Array<string>(6).fill("failed"));
  });
});
