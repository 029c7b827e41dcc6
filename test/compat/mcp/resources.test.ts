import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Answered,
  type Era,
  ERAS,
  type McpClient,
  createMcpClient,
  mintAgent,
} from "../../support/mcp.ts";
import type { TestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const UNKNOWN: Record<Era, number> = { legacy: -32002, modern: -32602 };

let world: TestWorld;
let agent: TestClient;

beforeAll(async () => {
  world = await createWorld();
  ({ client: agent } = await mintAgent(world));
});

afterAll(() => world.server.close());

/** Claims a new task. */
async function claim(mcp: McpClient): Promise<Answered> {
  const queue = `q-${crypto.randomUUID()}`;
  await mcp.call("task_create", { title: "Refund", queue, input: "900 EUR" });
  return mcp.call("task_claim", { queues: [queue] });
}

async function listUris(mcp: McpClient): Promise<unknown[]> {
  const { resources } = (await mcp.request("resources/list")) as { resources: { uri: string }[] };
  return resources.map(({ uri }) => uri);
}

async function read(mcp: McpClient, uri: string): Promise<Answered> {
  const { contents } = (await mcp.request("resources/read", { uri })) as { contents: { text: string }[] };
  expect(contents).toEqual([{ uri, mimeType: "application/json", text: expect.any(String) }]);
  return JSON.parse(contents[0]?.text ?? "");
}

describe.each(ERAS)("resources in the %s era", (era) => {
  it("are the tasks that the caller holds, to begin with", async () => {
    const mcp = createMcpClient(agent, era);
    const { task, lease } = await claim(mcp);
    const uri = `agent-ops://tasks/${task.id}`;
    const listed = await mcp.request("resources/list");
    expect(listed["resources"]).toContainEqual({
      ...{ uri, name: task.id, title: "Refund", mimeType: "application/json" },
      description: `A task of the queue ${task.queue} that you hold.`,
    });
    expect(listed["ttlMs"]).toBe(era === "modern" ? 0 : undefined);
    expect(await listUris(createMcpClient(world.agent, era))).not.toContain(uri);
    const few = createMcpClient((await mintAgent(world, ["messages:read"])).client, era);
    expect(await listUris(few)).toEqual([]);
    await mcp.call("task_complete", { task_id: task.id, lease_token: lease.token });
    expect(await listUris(mcp)).not.toContain(uri);
    // It can be read all the same.
    expect(await read(mcp, uri)).toMatchObject({ id: task.id, status: "completed" });
  });

  it("are tasks and conversations, as JSON", async () => {
    const mcp = createMcpClient(agent, era);
    const { task } = await claim(mcp);
    expect(await read(mcp, `agent-ops://tasks/${task.id.toUpperCase()}`)).toEqual(task);
    const first = await mcp.call("message_send", { text: "Hello", task_id: task.id });
    const second = await mcp.call("message_send", { text: "You", reply_to: first.message_id });
    const conversation = await read(mcp, `agent-ops://conversations/${task.context_id}`);
    expect(conversation).toMatchObject({ context_id: task.context_id, total: 2 });
    expect(conversation.messages).toMatchObject([
      { id: second.message_id, reply_to_id: first.message_id, parts: [{ text: "You" }], kind: "text" },
      { id: first.message_id, reply_to_id: null, sender: { type: "agent" } },
    ]);
    const { resourceTemplates } = await mcp.request("resources/templates/list");
    expect(resourceTemplates).toMatchObject([
      { uriTemplate: "agent-ops://tasks/{task_id}" },
      { uriTemplate: "agent-ops://conversations/{context_id}" },
    ]);
  });

  it("are rejected if they are unknown, another workspace's, or not to be read with these scopes", async () => {
    const mcp = createMcpClient(agent, era);
    const { task } = await claim(mcp);
    const own = `agent-ops://tasks/${task.id}`;
    const some = crypto.randomUUID();
    const unknown = [
      ...["", "x", "file:///etc/passwd", "agent-ops://tasks", "agent-ops://tasks/1", `${own}/`, `${own}?a`],
      ...["tasks", "conversations", "constructor", "__proto__"].map((kind) => `agent-ops://${kind}/${some}`),
    ];
    for (const uri of unknown) {
      const { status, body } = await mcp.send("resources/read", { uri });
      expect([uri, status, body.error]).toMatchObject([uri, 200, { code: UNKNOWN[era], data: { uri } }]);
    }
    const other = createMcpClient((await world.another()).agent, era);
    const unscoped = createMcpClient((await mintAgent(world, ["robots:read"])).client, era);
    for (const client of [other, unscoped]) {
      for (const uri of [own, `agent-ops://conversations/${task.context_id}`]) {
        expect((await client.send("resources/read", { uri })).body.error.code).toBe(UNKNOWN[era]);
      }
    }
    for (const uri of [undefined, 1, ["x"]]) {
      expect((await mcp.send("resources/read", { uri })).body.error.code).toBe(-32602);
    }
  });
});

describe.each(ERAS)("prompts in the %s era", (era) => {
  it("are listed, and written with their arguments", async () => {
    const mcp = createMcpClient(agent, era);
    const { prompts } = (await mcp.request("prompts/list")) as { prompts: { name: string }[] };
    expect(prompts).toMatchObject([
      { name: "work_a_queue", arguments: [{ name: "queue", required: true }] },
      { name: "hand_over_to_a_human", arguments: [{ name: "reason", required: false }] },
    ]);
    const work = await mcp.request("prompts/get", { name: "work_a_queue", arguments: { queue: "refunds" } });
    expect(work).toMatchObject({
      description: "Claims tasks from a queue, and does them one after the other.",
      messages: [{ role: "user", content: { type: "text", text: expect.stringContaining('"refunds"') } }],
    });
    for (const given of [undefined, {}, { reason: "the amount" }]) {
      const { messages } = await mcp.request("prompts/get", {
        ...{ name: "hand_over_to_a_human", arguments: given },
      });
      expect(JSON.stringify(messages).includes("because: the amount")).toBe(given?.reason !== undefined);
    }
  });

  it("are rejected if they are unknown, or without their arguments", async () => {
    const mcp = createMcpClient(agent, era);
    for (const params of [
      ...[
        {},
        { name: "nothing" },
        { name: 1 },
        { name: "work_a_queue" },
        { name: "work_a_queue", arguments: 1 },
      ],
      ...[
        { name: "work_a_queue", arguments: { queue: 1 } },
        { name: "work_a_queue", arguments: { queue: "" } },
      ],
    ]) {
      const { status, body } = await mcp.send("prompts/get", params);
      expect([status, body.error?.code]).toEqual([200, -32602]);
    }
  });
});
