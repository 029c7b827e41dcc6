import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { denyApproval } from "../../../src/domain/approvals/deny-approval.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { type HookScene, createHookScene } from "../../support/hook-scene.ts";
import { type McpClient, createMcpClient } from "../../support/mcp.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const REFUND = { resource: { type: "tool", id: "stripe.refund" }, arguments: { amount: 900 } };

let world: TestWorld;
let second: TestServer;
let scene: HookScene;
let mcp: McpClient;

beforeAll(async () => {
  world = await createWorld();
  second = await startOn(world.server.database);
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

beforeEach(async () => {
  scene = await createHookScene(world);
  mcp = createMcpClient(scene.agent, "modern", TASKS);
});

function ask(client: McpClient, question = "Refund 900 EUR?") {
  return client.request("tools/call", { name: "ask_human", arguments: { question } });
}

/** Asks for an approval. */
async function request(client: McpClient) {
  const { evaluation_id } = await client.call("permission_check", REFUND);
  const given = { evaluation_id, ...REFUND };
  return client.request("tools/call", { name: "request_approval", arguments: given });
}

describe("a call that waits for people, of a client with the tasks extension", () => {
  it("is a task at once, which every node shows until it has the answer", async () => {
    const task = await ask(mcp);
    const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
    const seen = {
      ...{ taskId: expect.stringMatching(/^q_[0-9a-f-]{36}$/), status: "working", ttlMs: null },
      ...{ createdAt: time, lastUpdatedAt: task["createdAt"], pollIntervalMs: 5000 },
      statusMessage: expect.stringMatching(`^A person has to answer: http://127.0.0.1:\\d+/inbox/`),
      _meta: expect.any(Object),
    };
    expect(task).toEqual({ resultType: "task", ...seen });
    const { taskId } = task as { taskId: string };
    const elsewhere = createMcpClient(createTestClient(second.url, scene.token), "modern", TASKS);
    expect(await elsewhere.request("tasks/get", { taskId })).toEqual({ resultType: "complete", ...seen });
    await sendMessage(await scene.person(), {
      ...{ kind: "answer", replyToId: taskId.slice(2), parts: [{ text: "yes" }] },
    });
    const answered = await elsewhere.call("ask_human_status", { question_id: taskId.slice(2) });
    const { statusMessage: _message, ...rest } = seen;
    expect(await elsewhere.request("tasks/get", { taskId })).toEqual({
      ...{ resultType: "complete", ...rest, status: "completed", lastUpdatedAt: time },
      result: {
        resultType: "complete",
        content: [{ type: "text", text: JSON.stringify(answered) }],
        structuredContent: { ...answered, status: "answered", answer: "yes" },
      },
    });
  });

  it("ends with what people decided about an approval", async () => {
    const [granted, other] = [await request(mcp), await request(mcp)];
    expect(other).toEqual(granted);
    const { taskId } = granted as { taskId: string };
    expect(granted).toMatchObject({ resultType: "task", taskId: expect.stringMatching(/^a_/) });
    await grantApproval(await scene.person(), { id: taskId.slice(2) });
    const done = await mcp.request("tasks/get", { taskId });
    expect(done).toMatchObject({
      status: "completed",
      result: { structuredContent: { status: "approved" } },
    });
    // What is decided already needs no task.
    expect(await request(mcp)).toMatchObject({
      resultType: "complete",
      structuredContent: { status: "approved" },
    });
  });

  it("shows a denial as an answer, which is no error of the call", async () => {
    const { taskId } = (await request(mcp)) as { taskId: string };
    await denyApproval(await scene.person(), { id: taskId.slice(2), comment: "Too much" });
    const { status, result } = await mcp.request("tasks/get", { taskId });
    expect([status, result]).toMatchObject([
      "completed",
      { structuredContent: { status: "denied", comment: "Too much" } },
    ]);
  });

  it("can be cancelled, unless people have decided, and a question stays", async () => {
    const { taskId } = (await request(mcp)) as { taskId: string };
    for (let times = 0; times < 2; times++) {
      expect(await mcp.request("tasks/cancel", { taskId })).toMatchObject({ resultType: "complete" });
    }
    expect(await mcp.request("tasks/get", { taskId })).toMatchObject({ status: "cancelled" });
    const decided = (await request(mcp)) as { taskId: string };
    await grantApproval(await scene.person(), { id: decided.taskId.slice(2) });
    await mcp.request("tasks/cancel", decided);
    expect(await mcp.request("tasks/get", decided)).toMatchObject({ status: "completed" });
    const asked = (await ask(mcp)) as { taskId: string };
    await mcp.request("tasks/cancel", { taskId: asked.taskId });
    expect(await mcp.request("tasks/get", { taskId: asked.taskId })).toMatchObject({ status: "working" });
  });

  it("takes no answer by way of the client", async () => {
    const { taskId } = (await ask(mcp)) as { taskId: string };
    const given = { taskId, inputResponses: { any: { action: "accept", content: { answer: "yes" } } } };
    const { _meta: _info, ...acknowledged } = await mcp.request("tasks/update", given);
    expect(acknowledged).toEqual({ resultType: "complete" });
    expect(await mcp.request("tasks/get", { taskId })).toMatchObject({ status: "working" });
  });

  it("is nobody else's, and unknown ones are rejected", async () => {
    const [question, approval] = [await ask(mcp), await request(mcp)] as { taskId: string }[];
    const stranger = createMcpClient(world.agent, "modern", TASKS);
    const unscoped = createMcpClient(await scene.agentWith("tasks:read"), "modern", TASKS);
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      for (const client of [stranger, unscoped]) {
        for (const { taskId = "" } of [question ?? {}, approval ?? {}]) {
          const { status, body } = await client.send(method, { taskId });
          expect([method, status, body.error?.code]).toEqual([method, 200, -32602]);
        }
      }
      for (const taskId of ["", "q_1", `x_${crypto.randomUUID()}`, `q_${crypto.randomUUID()}`, 1]) {
        const { body } = await mcp.send(method, { taskId });
        expect(body.error?.code).toBe(-32602);
      }
    }
  });

  it("is a task for clients alone that say so in this request", async () => {
    const { taskId } = (await ask(mcp)) as { taskId: string };
    const plain = createMcpClient(scene.agent, "modern");
    const { status, body } = await plain.send("tasks/get", { taskId });
    expect([status, body.error]).toEqual([
      400,
      expect.objectContaining({ code: -32021, data: { requiredCapabilities: TASKS } }),
    ]);
    expect(await plain.call("ask_human", { question: "?", wait_s: 0 })).toMatchObject({ status: "pending" });
    const legacy = createMcpClient(scene.agent, "legacy");
    expect((await legacy.send("tasks/get", { taskId })).body.error.code).toBe(-32601);
    // Errors are no tasks.
    expect(await mcp.fail("ask_human", { question: "" })).toMatchObject({ field: "question" });
  });
});
