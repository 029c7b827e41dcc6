import { createMCPClient } from "@ai-sdk/mcp";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { JsonValue } from "@modelcontextprotocol/ext-tasks/core";
import { createTaskSessionFromClient, resultFromTaskOutcome } from "@modelcontextprotocol/ext-tasks/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { mintAgent, modernHeaders } from "../../support/mcp.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const VERSION = "2026-07-28";
const OWN = { name: "a test", version: "1" };

let world: TestWorld;
let bearer: string;
let url: URL;

beforeAll(async () => {
  world = await createWorld();
  ({ bearer } = await mintAgent(world));
  url = new URL("/mcp", world.server.url);
});

afterAll(() => world.server.close());

/** Calls a tool, and gives its result. */
type CallTool = (name: string, given: Record<string, unknown>) => Promise<object>;

/** Works on a task as a model would. */
async function work(callTool: CallTool): Promise<void> {
  const queue = `q-${crypto.randomUUID()}`;
  await callTool("task_create", { title: "Refund", queue });
  const claimed = await callTool("task_claim", { queues: [queue], wait_s: 20 });
  const { task, lease } = (claimed as Claimed).structuredContent;
  const held = { task_id: task.id, lease_token: lease.token };
  const completed = await callTool("task_complete", { ...held, output: { ok: true } });
  expect(completed).toMatchObject({ structuredContent: { task: { id: task.id, status: "completed" } } });
  expect(await callTool("task_heartbeat", held)).toMatchObject({ isError: true });
}

type Made = { structuredContent: { task: { id: string } } };
type Claimed = { structuredContent: { task: { id: string }; lease: { token: string } } };

describe("the official client", () => {
  it.each([
    ["with a handshake", undefined, "2025-11-25"],
    ["by itself", { mode: "auto" as const }, VERSION],
    ["of 2026-07-28 alone", { mode: { pin: VERSION } }, VERSION],
  ])("works %s", async (_name, versionNegotiation, version) => {
    const client = new ModernClient(OWN, versionNegotiation === undefined ? {} : { versionNegotiation });
    await client.connect(new ModernTransport(url, { requestInit: { headers: { authorization: bearer } } }));
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getInstructions()).toContain("task_claim");
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(10);
    await work((name, given) => client.callTool({ name, arguments: given }));
    expect((await client.listResources()).resources).toEqual([]);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
    const { prompts } = await client.listPrompts();
    expect(prompts).toHaveLength(2);
    await client.getPrompt({ name: "work_a_queue", arguments: { queue: "refunds" } });
    await client.close();
  });

  it("listens to changes", async () => {
    const client = new ModernClient(OWN, { versionNegotiation: { mode: "auto" } });
    await client.connect(new ModernTransport(url, { requestInit: { headers: { authorization: bearer } } }));
    const queue = `q-${crypto.randomUUID()}`;
    const made = await client.callTool({ name: "task_create", arguments: { title: "Refund", queue } });
    const uri = `agent-ops://tasks/${(made as Made).structuredContent.task.id}`;
    const updated = new Promise((resolve) => {
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri));
    });
    const subscription = await client.listen({ resourceSubscriptions: [uri] });
    await client.callTool({ name: "task_claim", arguments: { queues: [queue] } });
    expect(await updated).toBe(uri);
    await subscription.close();
    await client.close();
  });

  it("tells its user how to authenticate", async () => {
    const client = new ModernClient(OWN);
    const connecting = client.connect(new ModernTransport(url));
    await expect(connecting).rejects.toThrow(/Authorization header/);
  });
});

describe("the official client's first version", () => {
  it("works", async () => {
    const client = new FirstClient(OWN);
    const transport = new FirstTransport(url, { requestInit: { headers: { authorization: bearer } } });
    await client.connect(transport);
    expect(client.getServerVersion()).toMatchObject({ name: "agent-ops" });
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    await work((name, given) => client.callTool({ name, arguments: given }));
    await client.close();
  });
});

describe("the client of the AI SDK", () => {
  it("works", async () => {
    const client = await createMCPClient({
      transport: { type: "http", url: url.href, headers: { authorization: bearer } },
    });
    const tools = await client.tools();
    expect(Object.keys(tools)).toContain("task_claim");
    await work(async (name, given) => {
      const tool = tools[name];
      if (tool === undefined) throw new Error(`no tool ${name}`);
      return tool.execute(given, { toolCallId: "1", messages: [], context: {} });
    });
    await client.close();
  });
});

describe("the official client of the tasks extension", () => {
  it("asks a person, and finds the answer later", async () => {
    const extensions = { "io.modelcontextprotocol/tasks": {} };
    const client = new ModernClient(OWN, {
      versionNegotiation: { mode: { pin: VERSION } },
      capabilities: { extensions },
    });
    await client.connect(new ModernTransport(url, { requestInit: { headers: { authorization: bearer } } }));
    const session = createTaskSessionFromClient(client, {
      endpointId: "ops",
      rawDispatch: async (request) => dispatch(request as Parameters<typeof dispatch>[0]),
      v2RequestFraming: {
        ...{ protocolVersion: VERSION, clientInfo: OWN, clientCapabilities: { extensions } },
      },
    });
    const asked = await session.callTool("ask_human", { question: "Which account?" });
    if (asked.kind !== "task") throw new Error("the call is not a task");
    const reference = asked.serializeReference();
    await asked.detach();
    const system = world.server.systemCtx(world.workspaceId);
    await sendMessage(system, {
      ...{ kind: "answer", replyToId: reference.taskId.slice(2), parts: [{ text: "The second" }] },
    });
    const execution = await session.resumeTask(reference);
    const { outcome } = await execution.settle();
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ structuredContent: { answer: "The second" } });
    await session.close();
    await client.close();
  });

  /** The client leaves it to its host to send these requests. */
  async function dispatch(request: { method: string; params: object }) {
    const headers = {
      ...{ authorization: bearer, "content-type": "application/json" },
      ...modernHeaders(request.method, request.params),
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: crypto.randomUUID(), ...request });
    const response = await fetch(url, { method: "POST", headers, body });
    const { result } = (await response.json()) as { result: JsonValue };
    return { kind: "result" as const, result };
  }
});
