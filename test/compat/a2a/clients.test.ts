import { TaskState } from "@a2a-js/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { cancelTask } from "../../../src/domain/tasks/cancel-task.ts";
import { completeTask } from "../../../src/domain/tasks/complete-task.ts";
import { failTask } from "../../../src/domain/tasks/fail-task.ts";
import { heartbeatTask } from "../../../src/domain/tasks/heartbeat-task.ts";
import { readMessage } from "../../../src/domain/messages/read-message.ts";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import {
  BINDINGS,
  type Peer,
  connect,
  createPeer,
  newQueue,
  readAll,
  readNext,
  request,
  say,
  sendTask,
} from "../../support/a2a.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { createWorker } from "../../support/workers.ts";

let world: TestWorld;
let second: TestServer;
let worker: Ctx;

beforeAll(async () => {
  world = await createWorld();
  second = await startOn(world.server.database);
  worker = await createWorker(world.server, world.workspaceId);
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

/** Claims the next task of a queue. */
async function claim(queue: string): Promise<{ id: string; leaseToken: string }> {
  const claimed = await claimTask(worker, { queues: [queue], waitSeconds: 20 });
  if (claimed === null) throw new Error("nothing to claim");
  return { id: claimed.task.id, leaseToken: claimed.lease.token };
}

/** Asks something about a task, as its holder. @returns the question's id. */
async function ask(held: { id: string; leaseToken: string }, text: string): Promise<string> {
  const about = { taskId: held.id, leaseToken: held.leaseToken };
  const { message } = await sendMessage(worker, { ...about, kind: "question", parts: [{ text }] });
  return message.id;
}

const REPORT = { artifact_id: "report", name: "Report", parts: [{ text: "Done", media_type: "text/plain" }] };

describe.each(BINDINGS)("the official client by %s", (binding) => {
  let peer: Peer;

  beforeAll(async () => {
    peer = await createPeer(world, binding);
  });

  it("sends a task, waits, and gets what it gave", async () => {
    const queue = newQueue();
    const sending = sendTask(peer.client, request(say("Refund order 4711"), { queue, waits: true }));
    const held = await claim(queue);
    await completeTask(worker, { ...held, output: { refunded: true }, artifacts: [REPORT] });
    const task = await sending;
    expect(task).toMatchObject({
      id: held.id,
      status: { state: TaskState.TASK_STATE_COMPLETED },
      artifacts: [
        {
          artifactId: "agent-ops/output",
          parts: [{ content: { $case: "data", value: { refunded: true } } }],
        },
        {
          ...{ artifactId: "report", name: "Report" },
          parts: [{ content: { $case: "text", value: "Done" }, mediaType: "text/plain" }],
        },
      ],
      metadata: { "agent-ops/queue": queue, "agent-ops/title": "Refund order 4711" },
    });
    expect(await peer.client.getTask({ tenant: "", id: task.id })).toEqual(task);
  });

  it("streams what happens with a task, on any node", async () => {
    const queue = newQueue();
    const client = await connect(second.url, binding, peer.bearer);
    const stream = client.sendMessageStream(request(say("Count the stock"), { queue }));
    expect(await readNext(stream)).toMatchObject({
      $case: "task",
      value: { status: { state: TaskState.TASK_STATE_SUBMITTED } },
    });
    const held = await claim(queue);
    expect(await readNext(stream)).toMatchObject({
      $case: "statusUpdate",
      value: { taskId: held.id, status: { state: TaskState.TASK_STATE_WORKING } },
    });
    await completeTask(worker, { ...held, output: "12 pallets", artifacts: [REPORT] });
    expect(await readAll(stream)).toMatchObject([
      {
        $case: "artifactUpdate",
        value: {
          artifact: { artifactId: "agent-ops/output", parts: [{ content: { value: "12 pallets" } }] },
          lastChunk: true,
        },
      },
      { $case: "artifactUpdate", value: { artifact: { artifactId: "report" } } },
      { $case: "statusUpdate", value: { status: { state: TaskState.TASK_STATE_COMPLETED } } },
    ]);
  });

  it("answers what a worker asks", async () => {
    const queue = newQueue();
    const sending = sendTask(peer.client, request(say("Book a flight"), { queue, waits: true }));
    const held = await claim(queue);
    const questionId = await ask(held, "From where?");
    const asked = await sending;
    expect(asked.status).toMatchObject({
      state: TaskState.TASK_STATE_INPUT_REQUIRED,
      message: { messageId: questionId, parts: [{ content: { value: "From where?" } }] },
    });
    const answer = say("From Rome", { taskId: asked.id, contextId: asked.contextId });
    const answering = sendTask(peer.client, request(answer, { waits: true }));
    await answered(questionId);
    await completeTask(worker, { ...held, output: "booked" });
    const done = await answering;
    expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(
      done.history.map(({ role, parts, messageId }) => [role, parts[0]?.content?.value, messageId]),
    ).toEqual([
      [1, "Book a flight", asked.history[0]?.messageId],
      [2, "From where?", questionId],
      [1, "From Rome", answer.messageId],
    ]);
  });

  it("subscribes to a task, and again after its connection was cut", async () => {
    const queue = newQueue();
    const { id } = await sendTask(peer.client, request(say("Drive"), { queue }));
    const cut = new AbortController();
    const first = peer.client.resubscribeTask({ tenant: "", id }, { signal: cut.signal });
    expect(await readNext(first)).toMatchObject({ $case: "task", value: { id } });
    const held = await claim(queue);
    expect(await readNext(first)).toMatchObject({ $case: "statusUpdate" });
    cut.abort();
    await expect(readNext(first)).rejects.toThrow(/abort/);
    const again = peer.client.resubscribeTask({ tenant: "", id });
    expect(await readNext(again)).toMatchObject({
      $case: "task",
      value: { id, status: { state: TaskState.TASK_STATE_WORKING } },
    });
    await failTask(worker, { ...held, error: { message: "No road", retryable: false } });
    expect(await readAll(again)).toMatchObject([
      {
        $case: "statusUpdate",
        value: {
          status: {
            state: TaskState.TASK_STATE_FAILED,
            message: { role: 2, parts: [{ content: { value: "No road" } }] },
          },
        },
      },
    ]);
  });

  it("stops to stream at a question, and follows one that waits until it is answered", async () => {
    const queue = newQueue();
    const stream = peer.client.sendMessageStream(request(say("Pick"), { queue }));
    await readNext(stream);
    const held = await claim(queue);
    await readNext(stream);
    const questionId = await ask(held, "Which?");
    expect(await readAll(stream)).toMatchObject([
      { $case: "statusUpdate", value: { status: { state: TaskState.TASK_STATE_INPUT_REQUIRED } } },
    ]);
    const waiting = peer.client.resubscribeTask({ tenant: "", id: held.id });
    expect(await readNext(waiting)).toMatchObject({
      value: { status: { state: TaskState.TASK_STATE_INPUT_REQUIRED } },
    });
    await sendMessage(world.ctx, { kind: "answer", replyToId: questionId, parts: [{ text: "The left" }] });
    expect(await readNext(waiting)).toMatchObject({
      $case: "statusUpdate",
      value: { status: { state: TaskState.TASK_STATE_WORKING } },
    });
    await waiting.return(undefined);
  });

  it("sees progress", async () => {
    const queue = newQueue();
    const { id } = await sendTask(peer.client, request(say("Clean"), { queue }));
    const held = await claim(queue);
    await heartbeatTask(worker, { ...held, progress: 0.5, statusMessage: "Half of it" });
    const task = await peer.client.getTask({ tenant: "", id });
    expect(task).toMatchObject({
      status: { message: { parts: [{ content: { value: "Half of it" } }] } },
      metadata: { "agent-ops/progress": 0.5 },
    });
    await completeTask(worker, held);
    const done = await peer.client.getTask({ tenant: "", id });
    expect(done.status).toMatchObject({ state: TaskState.TASK_STATE_COMPLETED, message: undefined });
  });

  it("cancels a task, once", async () => {
    const { id } = await sendTask(peer.client, request(say("Wait"), { queue: newQueue() }));
    const cancel = () => peer.client.cancelTask({ tenant: "", id, metadata: undefined });
    expect((await cancel()).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    await expect(cancel()).rejects.toMatchObject({ name: "TaskNotCancelableError" });
    await expect(readAll(peer.client.resubscribeTask({ tenant: "", id }))).rejects.toMatchObject({
      name: "UnsupportedOperationError",
    });
    const more = request(say("More", { taskId: id }));
    await expect(peer.client.sendMessage(more)).rejects.toMatchObject({ name: "UnsupportedOperationError" });
  });

  it("asks a holder to stop", async () => {
    const queue = newQueue();
    const { id } = await sendTask(peer.client, request(say("Run"), { queue }));
    const held = await claim(queue);
    const task = await peer.client.cancelTask({ tenant: "", id, metadata: undefined });
    expect(task).toMatchObject({
      status: { state: TaskState.TASK_STATE_WORKING },
      metadata: { "agent-ops/cancelRequested": true },
    });
    expect((await heartbeatTask(worker, held)).cancelRequested).toBe(true);
  });

  it("lists the tasks of a context in pages, those that changed last first", async () => {
    const contextId = crypto.randomUUID();
    const ids: string[] = [];
    for (const text of ["one", "two", "three"]) {
      const message = say(text, { contextId });
      ids.push((await sendTask(peer.client, request(message, { queue: newQueue() }))).id);
    }
    await cancelTask(world.ctx, { id: ids[0] ?? "" });
    const asked = {
      ...{ tenant: "", contextId, status: TaskState.TASK_STATE_UNSPECIFIED, pageSize: 2 },
      ...{ historyLength: undefined, statusTimestampAfter: undefined, includeArtifacts: undefined },
    };
    const first = await peer.client.listTasks({ ...asked, pageToken: "" });
    expect(first).toMatchObject({ tasks: [{ id: ids[0] }, { id: ids[2] }], totalSize: 3, pageSize: 2 });
    const last = await peer.client.listTasks({ ...asked, pageToken: first.nextPageToken });
    expect(last).toMatchObject({ tasks: [{ id: ids[1] }], nextPageToken: "" });
    const canceled = await peer.client.listTasks({
      ...asked,
      ...{ pageToken: "", status: TaskState.TASK_STATE_CANCELED },
    });
    expect(canceled.tasks.map(({ id }) => id)).toEqual([ids[0]]);
  });

  it("is told that there is no such task, for ids of other workspaces too", async () => {
    const { agent: other } = await world.another();
    const { body } = await other.post("/api/v1/tasks", { title: "Other" });
    for (const id of [body.task.id, crypto.randomUUID(), "no-uuid", "ü"]) {
      const unknown = { name: "TaskNotFoundError", message: "There is no such task." };
      const { client } = peer;
      await expect(client.getTask({ tenant: "", id })).rejects.toMatchObject(unknown);
      await expect(client.cancelTask({ tenant: "", id, metadata: undefined })).rejects.toMatchObject(unknown);
      await expect(readAll(client.resubscribeTask({ tenant: "", id }))).rejects.toMatchObject(unknown);
      const message = say("More", { taskId: id });
      await expect(client.sendMessage(request(message))).rejects.toMatchObject(unknown);
    }
  });

  it("reads the extended card, with a skill for each queue", async () => {
    const queue = newQueue();
    await sendTask(peer.client, request(say("Hello"), { queue }));
    const card = await (await connect(world.server.url, binding, peer.bearer)).getAgentCard();
    expect(card.skills.map(({ id }) => id)).toEqual(expect.arrayContaining(["default", queue]));
  });
});

/** Waits until a question is answered. */
async function answered(questionId: string): Promise<void> {
  await readMessage(world.ctx, { id: questionId, waitSeconds: 20 });
}
