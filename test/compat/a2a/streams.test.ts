import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cancelApproval } from "../../../src/domain/approvals/cancel-approval.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { heartbeatTask } from "../../../src/domain/tasks/heartbeat-task.ts";
import { type Peer, createPeer, createWire, newQueue } from "../../support/a2a.ts";
import { type Answered, eventsOf } from "../../support/mcp.ts";
import { ASK } from "../../support/gateway-scene.ts";
import { startOn } from "../../support/server.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { askFor, claimNew, createWorker } from "../../support/workers.ts";

let world: TestWorld;
let worker: Ctx;
let peer: Peer;

beforeAll(async () => {
  world = await createWorld();
  await createPolicy(world.ctx, ASK);
  worker = await createWorker(world.server, world.workspaceId);
  peer = await createPeer(world, "JSONRPC");
});

afterAll(() => world.server.close());

type StreamOptions = { url?: string; isHttp?: boolean };

/** Subscribes to a task. `next` gives the next event, and null at the end. */
async function subscribe(
  id: string,
  { bearer }: Pick<Peer, "bearer">,
  { url = world.server.url, isHttp = false }: StreamOptions = {},
) {
  const body = isHttp ? {} : { jsonrpc: "2.0", id: "s", method: "SubscribeToTask", params: { id } };
  const response = await fetch(url + (isHttp ? `/a2a/v1/tasks/${id}:subscribe` : "/a2a"), {
    method: "POST",
    headers: { authorization: bearer, "content-type": "application/json", "a2a-version": "1.0" },
    body: JSON.stringify(body),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let taken = 0;
  async function next(): Promise<Answered> {
    for (;;) {
      const event = eventsOf(text)[taken];
      if (event !== undefined && text.endsWith("\n\n")) {
        taken++;
        return event;
      }
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done) return null;
      text += value;
    }
  }
  return { response, next, leave: () => reader?.cancel() };
}

async function createOpenTask(): Promise<string> {
  return (await createTask(world.ctx, { title: "A task", queue: newQueue() })).id;
}

describe("a stream", () => {
  it("stays open while its task waits for the approval of a call, and tells that it goes on", async () => {
    const { task } = await claimNew(worker);
    const { next, leave } = await subscribe(task.id, peer);
    expect(await next()).toMatchObject({ result: { task: { status: { state: "TASK_STATE_WORKING" } } } });
    const id = await askFor(worker, task.id);
    const states = ["TASK_STATE_AUTH_REQUIRED", "TASK_STATE_WORKING"];
    expect(await next()).toMatchObject({ result: { statusUpdate: { status: { state: states[0] } } } });
    await cancelApproval(worker, { id });
    expect(await next()).toMatchObject({ result: { statusUpdate: { status: { state: states[1] } } } });
    await leave();
  });

  it("repeats the request's id, and may be neither kept nor held back", async () => {
    const id = await createOpenTask();
    const { response, next, leave } = await subscribe(id, peer);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    expect(await next()).toMatchObject({ jsonrpc: "2.0", id: "s", result: { task: { id } } });
    await leave();
  });

  it("ends with an error when its credential is revoked", async () => {
    const own = await createPeer(world, "JSONRPC");
    const id = await createOpenTask();
    const streams = [await subscribe(id, own), await subscribe(id, own, { isHttp: true })];
    const firsts = await Promise.all(streams.map(({ next }) => next()));
    expect(firsts).toMatchObject([{ result: { task: { id } } }, { task: { id } }]);
    await world.agent.delete(`/api/v1/agent_tokens/${own.tokenId}`);
    const errors = await Promise.all(streams.map(({ next }) => next()));
    expect(errors).toMatchObject([
      { id: "s", error: { code: -31401 } },
      { error: { code: 401, status: "UNAUTHENTICATED" } },
    ]);
    expect(await Promise.all(streams.map(({ next }) => next()))).toEqual([null, null]);
  });

  it("ends when the server stops", async () => {
    const second = await startOn(world.server.database);
    const { next } = await subscribe(await createOpenTask(), peer, { url: second.url });
    await next();
    await Promise.all([second.stop(), expect(next()).resolves.toBeNull()]);
  });

  it("tells progress, which has no event, at its next turn", async () => {
    const { task, token } = await claimNew(worker);
    const { next, leave } = await subscribe(task.id, peer);
    await next();
    const beat = { id: task.id, leaseToken: token, progress: 0.25, statusMessage: "A quarter" };
    await heartbeatTask(worker, beat);
    expect(await next()).toMatchObject({
      result: {
        statusUpdate: {
          taskId: task.id,
          status: { state: "TASK_STATE_WORKING", message: { parts: [{ text: "A quarter" }] } },
          metadata: { "agent-ops/progress": 0.25 },
        },
      },
    });
    await leave();
  });

  it("has only the task, if it has ended: the message was sent before", async () => {
    const { http } = createWire(peer.plain);
    const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: "Hello" }] };
    const sent = { message, configuration: { returnImmediately: true } };
    const { body } = await http.post("/message:send", sent);
    await http.post(`/tasks/${body.task.id}:cancel`);
    const { text } = await http.post("/message:stream", sent);
    expect(eventsOf(text)).toMatchObject([
      { task: { id: body.task.id, status: { state: "TASK_STATE_CANCELED" } } },
    ]);
  });
});
