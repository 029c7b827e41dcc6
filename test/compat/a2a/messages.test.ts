import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cancelApproval } from "../../../src/domain/approvals/cancel-approval.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { completeTask } from "../../../src/domain/tasks/complete-task.ts";
import { type Peer, type Wire, createPeer, createWire, newQueue } from "../../support/a2a.ts";
import { ASK } from "../../support/gateway-scene.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { askFor, claimNew, createWorker } from "../../support/workers.ts";

let world: TestWorld;
let worker: Ctx;
let peer: Peer;
let wire: Wire;

beforeAll(async () => {
  world = await createWorld();
  worker = await createWorker(world.server, world.workspaceId);
  await createPolicy(world.ctx, ASK);
  peer = await createPeer(world, "JSONRPC");
  wire = createWire(peer.plain);
});

afterAll(() => world.server.close());

const NOW = { returnImmediately: true };

function message(fields: object = {}) {
  return { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: "Hello" }], ...fields };
}

async function send(sent: object, by = wire) {
  const { body } = await by.rpc("SendMessage", { configuration: NOW, ...sent });
  return body;
}

async function readStored(id: string) {
  return (await world.agent.get(`/api/v1/tasks/${id}`)).body.task;
}

describe("SendMessage", () => {
  it("makes a task of a message", async () => {
    const queue = newQueue();
    const contextId = crypto.randomUUID();
    const referenceTaskIds = [crypto.randomUUID()];
    const parts = [
      { text: "\n  — \n Refund order 4711\nPlease.", mediaType: "text/plain" },
      { data: { order: 4711, lines: [1, null] }, metadata: { of: "shop" } },
      { raw: "aGVsbG8=", filename: "hello.txt", mediaType: "text/plain" },
      { url: "https://example.com/a.png" },
    ];
    const sent = message({ parts, contextId, metadata: { a: 1, b: 1 }, referenceTaskIds });
    const { result } = await send({ message: sent, metadata: { "agent-ops/queue": queue, b: 2 } });
    const { task } = result;
    expect(task).toMatchObject({
      contextId,
      status: { state: "TASK_STATE_SUBMITTED", timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) },
      artifacts: [],
      history: [{ messageId: sent.messageId, contextId, taskId: task.id, role: "ROLE_USER", parts }],
      metadata: {
        ...{ "agent-ops/queue": queue, "agent-ops/title": "Refund order 4711", a: 1, b: 2 },
        "agent-ops/referenceTaskIds": referenceTaskIds,
      },
    });
    expect(await readStored(task.id)).toMatchObject({
      ...{ title: "Refund order 4711", queue, context_id: contextId, status: "submitted" },
      input: [
        { text: parts[0]?.text, media_type: "text/plain" },
        parts[1],
        { raw: "aGVsbG8=", filename: "hello.txt", media_type: "text/plain" },
        parts[3],
      ],
    });
  });

  it.each([
    ["long words", "a".repeat(300), `${"a".repeat(199)}…`],
    ["a character of two halves at the end", `${"a".repeat(198)}😀${"b".repeat(50)}`, `${"a".repeat(198)}…`],
    ["such a one far behind", `${"\n".repeat(1998)}a😀`, "a"],
    ["no words", "?!", "A message without text"],
  ])("gives a task of %s a title", async (_name, text, title) => {
    const { result } = await send({ message: message({ parts: [{ data: 1 }, { text }] }) });
    expect((await readStored(result.task.id)).title).toBe(title);
  });

  it("makes one task of the same message", async () => {
    const sent = message({ messageId: "mein Auftrag № 1" });
    const [first, second] = await Promise.all([send({ message: sent }), send({ message: sent })]);
    const made = [first, second].find(({ result }) => result !== undefined).result.task;
    const again = (await send({ message: { ...sent, parts: [{ text: "Hello" }] } })).result.task;
    expect(again.id).toBe(made.id);
    expect(again.history[0].messageId).toBe(sent.messageId);
    const other = await send({ message: { ...sent, parts: [{ text: "Bye" }] } });
    expect(other.error).toMatchObject({
      code: -32602,
      data: [{ fieldViolations: [{ field: "message.messageId" }] }],
    });
    const stranger = createWire((await createPeer(world, "JSONRPC")).plain);
    expect((await send({ message: sent }, stranger)).result.task.id).not.toBe(made.id);
  });

  it("answers a question once", async () => {
    const { task, token } = await claimNew(worker);
    const about = { taskId: task.id, leaseToken: token };
    await sendMessage(worker, { ...about, kind: "question", parts: [{ text: "Which?" }] });
    const sent = message({ taskId: task.id, parts: [{ text: "The left" }], metadata: { sure: true } });
    const { result } = await send({ message: sent });
    expect(result.task.status.state).toBe("TASK_STATE_WORKING");
    expect(result.task.history.at(-1)).toEqual({
      ...{ messageId: sent.messageId, contextId: task.contextId, taskId: task.id, role: "ROLE_USER" },
      ...{ parts: sent.parts, metadata: { sure: true } },
    });
    expect((await send({ message: sent })).result.task.history).toHaveLength(3);
    await completeTask(worker, { id: task.id, leaseToken: token });
    const again = await send({ message: sent });
    expect(again.result.task.status.state).toBe("TASK_STATE_COMPLETED");
    const other = await send({ message: { ...sent, messageId: crypto.randomUUID() } });
    expect(other.error.code).toBe(-32004);
    const stranger = createWire((await createPeer(world, "JSONRPC")).plain);
    expect((await send({ message: sent }, stranger)).error.code).toBe(-32004);
    const { body } = await world.agent.get(`/api/v1/messages?task_id=${task.id}`);
    expect(body.messages.map(({ kind }: { kind: string }) => kind)).toEqual(["answer", "question"]);
  });

  it("leaves a question that only people may answer to them", async () => {
    const { task, token } = await claimNew(worker);
    const about = { taskId: task.id, leaseToken: token, answerBy: "person" as const };
    await sendMessage(worker, { ...about, kind: "question", parts: [{ text: "May I?" }] });
    const { error } = await send({ message: message({ taskId: task.id }) });
    expect(error).toMatchObject({ code: -31403, message: "Only a person may answer this question." });
    expect((await readStored(task.id)).status).toBe("input_required");
  });

  it("adds a message to a task that asks nothing", async () => {
    const { task } = await claimNew(worker);
    const other = await claimNew(worker);
    const sent = message({ taskId: task.id.toUpperCase(), referenceTaskIds: [other.task.id] });
    const { result } = await send({ message: sent });
    expect(result.task.history.at(-1)).toMatchObject({
      ...{ messageId: sent.messageId, role: "ROLE_USER", referenceTaskIds: [other.task.id] },
    });
    const elsewhere = message({ taskId: task.id, contextId: crypto.randomUUID() });
    expect((await send({ message: elsewhere })).error).toMatchObject({
      code: -32602,
      data: [{ fieldViolations: [{ field: "message.contextId" }] }],
    });
  });
});

describe("a task that waits for the approval of a call", () => {
  it("answers who waits for the task", async () => {
    const queue = newQueue();
    const waiting = wire.rpc("SendMessage", { message: message(), metadata: { "agent-ops/queue": queue } });
    await expect.poll(() => world.ctx.db.task.count({ where: { queue } })).toBe(1);
    const claim = await claimTask(worker, { queues: [queue] });
    const approvalId = await askFor(worker, claim?.task.id ?? "");
    const { task } = (await waiting).body.result;
    expect(task).toMatchObject({ id: claim?.task.id, status: { state: "TASK_STATE_AUTH_REQUIRED" } });
    await cancelApproval(worker, { id: approvalId });
    const { result } = (await wire.rpc("GetTask", { id: task.id })).body;
    expect(result.status.state).toBe("TASK_STATE_WORKING");
  });
});

describe("GetTask", () => {
  it("has as many of the newest messages as are asked for", async () => {
    const { task } = await claimNew(worker, { input: [{ text: "first" }] });
    for (const text of ["second", "third"]) {
      await sendMessage(worker, { taskId: task.id, parts: [{ text }] });
    }
    const read = async (historyLength?: number) => {
      const { body } = await wire.rpc("GetTask", { id: task.id, historyLength });
      return (body.result.history ?? []).map(({ parts }: { parts: { text: string }[] }) => parts[0]?.text);
    };
    expect(await read()).toEqual(["first", "second", "third"]);
    expect(await read(2)).toEqual(["second", "third"]);
    expect(await read(3)).toEqual(["first", "second", "third"]);
    expect(await read(0)).toEqual([]);
    const { body } = await wire.http.get(`/tasks/${task.id}?historyLength=1`);
    expect(body.history).toMatchObject([{ parts: [{ text: "third" }], role: "ROLE_USER" }]);
  });

  it("has at most 256 KiB of messages", async () => {
    const { task } = await claimNew(worker);
    for (let sent = 0; sent < 4; sent++) {
      await sendMessage(worker, { taskId: task.id, parts: [{ text: "x".repeat(100_000) }] });
    }
    const { body } = await wire.rpc("GetTask", { id: task.id });
    expect(body.result.history).toHaveLength(2);
  });

  it("shows no messages to those who may not read them", async () => {
    const { task, token } = await claimNew(worker, { input: [{ text: "first" }] });
    const about = { taskId: task.id, leaseToken: token };
    await sendMessage(worker, { ...about, kind: "question", parts: [{ text: "Which?" }] });
    const reader = createWire((await createPeer(world, "JSONRPC", ["tasks:read"])).plain);
    const { body } = await reader.rpc("GetTask", { id: task.id });
    expect(body.result.status).toMatchObject({ state: "TASK_STATE_INPUT_REQUIRED" });
    expect(body.result.status.message).toBeUndefined();
    expect(body.result.history).toMatchObject([{ parts: [{ text: "first" }] }]);
  });
});

describe("ListTasks", () => {
  async function list(params: object) {
    return (await wire.rpc("ListTasks", params)).body;
  }

  it("leaves out artifacts unless they are asked for", async () => {
    const contextId = crypto.randomUUID();
    const { task, token } = await claimNew(worker, { contextId });
    await completeTask(worker, { id: task.id, leaseToken: token, output: [1, 2] });
    const { result } = await list({ contextId });
    expect(result.tasks).toHaveLength(1);
    expect(Object.keys(result.tasks[0]).toSorted()).toEqual(["contextId", "id", "metadata", "status"]);
    const { body } = await wire.http.get(`/tasks?contextId=${contextId}&includeArtifacts=true`);
    expect(body.tasks[0].artifacts).toEqual([
      { artifactId: "agent-ops/output", name: "output", parts: [{ data: [1, 2] }] },
    ]);
  });

  it("has tasks that changed at a time or later", async () => {
    const contextId = crypto.randomUUID();
    await claimNew(worker, { contextId });
    const { result } = await list({ contextId });
    const { timestamp } = result.tasks[0].status;
    const count = async (statusTimestampAfter: string) =>
      (await list({ contextId, statusTimestampAfter })).result.tasks.length;
    expect(await count(timestamp)).toBe(1);
    expect(await count(timestamp.replace("Z", "001Z"))).toBe(0);
    expect(await count(timestamp.replace("Z", "000Z"))).toBe(1);
    expect(await count(timestamp.replace("Z", "+01:00"))).toBe(1);
    expect((await list({ statusTimestampAfter: "yesterday" })).error.code).toBe(-32602);
  });

  it("goes on with a token of the same caller and filter only", async () => {
    const contextId = crypto.randomUUID();
    for (let made = 0; made < 2; made++) await claimNew(worker, { contextId });
    const { nextPageToken: pageToken } = (await list({ contextId, pageSize: 1 })).result;
    expect((await list({ contextId, pageSize: 1, pageToken })).result.tasks).toHaveLength(1);
    const others = [
      ...[{ pageToken }, { contextId, pageToken: `${pageToken}x` }, { contextId, pageToken: "x" }],
      { contextId, status: "TASK_STATE_WORKING", pageToken },
    ];
    for (const other of others) {
      const { error } = await list(other);
      expect(error.data[0].fieldViolations).toMatchObject([{ field: "pageToken" }]);
    }
    const stranger = createWire((await createPeer(world, "JSONRPC")).plain);
    expect((await stranger.rpc("ListTasks", { contextId, pageToken })).body.error.code).toBe(-32602);
  });

  it("has tasks that wait for the approval of a call", async () => {
    const { task } = await claimNew(worker);
    const approvalId = await askFor(worker, task.id);
    const waiting = async () =>
      (await list({ status: "TASK_STATE_AUTH_REQUIRED" })).result.tasks.map(({ id }: { id: string }) => id);
    expect(await waiting()).toEqual([task.id]);
    await cancelApproval(worker, { id: approvalId });
    expect(await waiting()).toEqual([]);
  });

  it("has no tasks of other workspaces, and all in any state", async () => {
    const { agent: other } = await world.another();
    const { body } = await other.post("/api/v1/tasks", { title: "Other" });
    expect((await list({ contextId: body.task.context_id })).result).toEqual({
      ...{ tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 },
    });
    expect((await list({ status: "TASK_STATE_UNSPECIFIED" })).result.tasks.length).toBeGreaterThan(0);
  });
});
