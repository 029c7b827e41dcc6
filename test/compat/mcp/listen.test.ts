import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import {
  type Answered,
  createMcpClient,
  eventsOf,
  mintAgent,
  modernHeaders,
  modernMeta,
} from "../../support/mcp.ts";
import { PATIENCE } from "../../support/patience.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const OWN = { _meta: { "io.modelcontextprotocol/subscriptionId": "s" } };

let world: TestWorld;
let second: TestServer;

beforeAll(async () => {
  world = await createWorld();
  second = await startOn(world.server.database);
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

type Agent = Awaited<ReturnType<typeof mintAgent>>;

type ListenOptions = { url?: string; capabilities?: object; accept?: string };

/** Listens as an agent. `next` gives the next message; `rest` all others, at the end of the stream. */
async function listen(
  { bearer }: Pick<Agent, "bearer">,
  notifications: object,
  { url = world.server.url, capabilities = TASKS, accept = "text/event-stream" }: ListenOptions = {},
) {
  const leaving = new AbortController();
  const params = { notifications, _meta: modernMeta(capabilities) };
  const response = await fetch(new URL("/mcp", url), {
    ...{ method: "POST", signal: leaving.signal },
    headers: {
      ...{ authorization: bearer, accept, "content-type": "application/json" },
      ...modernHeaders("subscriptions/listen"),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: "s", method: "subscriptions/listen", params }),
  });
  // Read at the first look at a message: until then, others may read the body.
  let reader: ReadableStreamDefaultReader<string> | undefined;
  let text = "";
  let taken = 0;
  async function next(): Promise<Answered> {
    reader ??= response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const message = eventsOf(text)[taken];
      if (message !== undefined && text.endsWith("\n\n")) {
        taken++;
        return message;
      }
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done) return null;
      text += value;
    }
  }
  return { response, next, leave: () => leaving.abort() };
}

/** What the stream ends with. */
const END = {
  jsonrpc: "2.0",
  id: "s",
  result: { resultType: "complete", _meta: expect.objectContaining(OWN._meta) },
};

function acknowledge(notifications: object) {
  return {
    jsonrpc: "2.0",
    method: "notifications/subscriptions/acknowledged",
    params: { notifications, ...OWN },
  };
}

function update(uri: string) {
  return { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri, ...OWN } };
}

/** Asks a question. */
async function ask({ client }: Agent): Promise<string> {
  const mcp = createMcpClient(client, "modern", TASKS);
  const given = { question: `Now? ${crypto.randomUUID()}` };
  const { taskId } = await mcp.request("tools/call", { name: "ask_human", arguments: given });
  return String(taskId);
}

async function answer(taskId: string): Promise<void> {
  const system = world.server.systemCtx(world.workspaceId);
  await sendMessage(system, { kind: "answer", replyToId: taskId.slice(2), parts: [{ text: "now" }] });
}

async function waitForWaits(count: number): Promise<void> {
  await vi.waitFor(() => {
    const { connections } = world.server.services.live;
    expect([...connections.all()].filter(({ id }) => id.startsWith("waits of"))).toHaveLength(count);
  }, PATIENCE);
}

async function createTask(): Promise<{ uri: string; queue: string }> {
  const queue = `q-${crypto.randomUUID()}`;
  const { body } = await world.agent.post("/api/v1/tasks", { title: "Refund", queue });
  return { uri: `agent-ops://tasks/${body.task.id}`, queue };
}

describe("subscriptions/listen", () => {
  it("tells the answer of each deferred call, given on any node, and ends with the last", async () => {
    const agent = await mintAgent(world);
    const [first, last] = [await ask(agent), await ask(agent)];
    const { next, response } = await listen(agent, { taskIds: [first, last, first] }, { url: second.url });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(await next()).toEqual(acknowledge({ taskIds: [first, last] }));
    for (const taskId of [last, first]) {
      await answer(taskId);
      const elsewhere = createTestClient(second.url, agent.bearer.slice("Bearer ".length));
      const mcp = createMcpClient(elsewhere, "modern", TASKS);
      const { resultType: _type, _meta: _info, ...task } = await mcp.request("tasks/get", { taskId });
      expect(task).toMatchObject({ status: "completed" });
      expect(await next()).toEqual({
        ...{ jsonrpc: "2.0", method: "notifications/tasks" },
        params: { ...task, ...OWN },
      });
    }
    expect(await next()).toEqual(END);
    expect(await next()).toBeNull();
  });

  it("tells at once what was answered before", async () => {
    const agent = await mintAgent(world);
    const taskId = await ask(agent);
    await answer(taskId);
    const { next } = await listen(agent, { taskIds: [taskId] });
    await next();
    expect(await next()).toMatchObject({ params: { taskId, status: "completed" } });
    expect(await next()).toEqual(END);
  });

  it("tells each change of a task that is watched, until the client leaves", async () => {
    const agent = await mintAgent(world);
    const { uri, queue } = await createTask();
    const { next, leave } = await listen(agent, { resourceSubscriptions: [uri] });
    expect(await next()).toEqual(acknowledge({ resourceSubscriptions: [uri] }));
    await createTask();
    const mcp = createMcpClient(agent.client, "modern");
    const { task, lease } = await mcp.call("task_claim", { queues: [queue] });
    expect(await next()).toEqual(update(uri));
    await mcp.call("task_complete", { task_id: task.id, lease_token: lease.token });
    expect(await next()).toEqual(update(uri));
    await waitForWaits(1);
    leave();
    await waitForWaits(0);
  });

  it("keeps to what exists and may be read and watched, and ends if nothing is left", async () => {
    const [agent, stranger] = [await mintAgent(world), await mintAgent(world)];
    const { agent: other } = await world.another();
    const { body } = await other.post("/api/v1/tasks", { title: "Other" });
    const given = {
      taskIds: [await ask(stranger), "q_1", `a_${crypto.randomUUID()}`],
      resourceSubscriptions: [
        ...[`agent-ops://tasks/${body.task.id}`, `agent-ops://conversations/${body.task.context_id}`, "x"],
      ],
      toolsListChanged: true,
    };
    const { next } = await listen(agent, given);
    expect(await next()).toEqual(acknowledge({ taskIds: [], resourceSubscriptions: [] }));
    expect(await next()).toEqual(END);
    const unscoped = await mintAgent(world, ["robots:read"]);
    const { uri } = await createTask();
    const { next: nextUnscoped } = await listen(unscoped, { resourceSubscriptions: [uri] });
    expect(await nextUnscoped()).toEqual(acknowledge({ resourceSubscriptions: [] }));
  });

  it("ends when its credential is revoked", async () => {
    const agent = await mintAgent(world);
    const { next } = await listen(agent, { resourceSubscriptions: [(await createTask()).uri] });
    await next();
    await world.agent.delete(`/api/v1/agent_tokens/${agent.tokenId}`);
    expect(await next()).toEqual(END);
    expect(await next()).toBeNull();
  });

  it("ends when the server stops", async () => {
    const third = await startOn(world.server.database);
    const given = { resourceSubscriptions: [(await createTask()).uri] };
    const { next } = await listen(await mintAgent(world), given, { url: third.url });
    await next();
    await Promise.all([third.stop(), expect(next()).resolves.toEqual(END)]);
  });

  it("rejects other filters, and clients that can't take it, before it begins", async () => {
    const agent = await mintAgent(world);
    const ids = Array.from({ length: 21 }, (_, at) => `q_${at}`);
    const wrong = [[], { taskIds: "x" }, { taskIds: [1] }, { taskIds: ids }, { resourceSubscriptions: ids }];
    for (const notifications of wrong) {
      const { response } = await listen(agent, notifications);
      expect([response.status, await readError(response)]).toMatchObject([200, { code: -32602 }]);
    }
    const plain = await listen(agent, { taskIds: [] }, { capabilities: {} });
    expect([plain.response.status, await readError(plain.response)]).toMatchObject([
      400,
      { code: -32021, data: { requiredCapabilities: TASKS } },
    ]);
    const other = await listen(agent, { resourceSubscriptions: [] }, { accept: "application/json" });
    expect([other.response.status, await readError(other.response)]).toMatchObject([400, { code: -32600 }]);
    const legacy = createMcpClient(agent.client, "legacy");
    const { body } = await legacy.send("subscriptions/listen", { notifications: {} });
    expect(body.error.code).toBe(-32601);
  });
});

async function readError(response: Response): Promise<Answered> {
  return ((await response.json()) as { error: Answered }).error;
}
