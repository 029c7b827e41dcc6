import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ERAS, createMcpClient, eventsOf, mintAgent } from "../../support/mcp.ts";
import { PATIENCE } from "../../support/patience.ts";
import type { TestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let queue: string;
let worker: TestClient;
let workerId: string;
let bearer: string;

beforeAll(async () => {
  world = await createWorld();
  ({ client: worker, id: workerId, bearer } = await mintAgent(world));
});

afterAll(() => world.server.close());

beforeEach(() => {
  queue = `q-${crypto.randomUUID()}`;
});

async function createTask(title = "Refund order 42"): Promise<string> {
  const { body } = await world.agent.post("/api/v1/tasks", { title, queue });
  return body.task.id;
}

/** Waits until the server has this many waiting requests. */
async function waitForWaits(count: number): Promise<void> {
  const { connections } = world.server.services.live;
  await vi.waitFor(
    () => expect([...connections.all()].filter(({ id }) => id.startsWith("waits of"))).toHaveLength(count),
    PATIENCE,
  );
}

function callOf(name: string, given: object) {
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
}

describe.each(ERAS)("the tools of tasks in the %s era", (era) => {
  it("create, claim, renew and complete a task, as REST shows it", async () => {
    const mcp = createMcpClient(worker, era);
    const made = await mcp.call("task_create", { title: "Refund", queue, input: "Order 42", priority: 7 });
    expect(made.task).toMatchObject({ title: "Refund", queue, status: "submitted", priority: 7 });
    const { task, lease } = await mcp.call("task_claim", { queues: [queue] });
    expect(task).toMatchObject({
      ...{ id: made.task.id, status: "working", claimed_by_agent_id: workerId },
      ...{ input: [{ text: "Order 42" }], output: null },
    });
    const leftMs = new Date(lease.expires_at).getTime() - Date.now();
    expect(leftMs).toBeGreaterThan(500_000);
    const held = { task_id: task.id, lease_token: lease.token };
    const renewed = await mcp.call("task_heartbeat", { ...held, progress: 0.5, status_message: "Half" });
    expect(renewed).toEqual({
      ...{ lease_expires_at: expect.any(String), cancel_requested: false, control_state: "active" },
    });
    expect(await mcp.call("task_list", { queue, mine: true })).toMatchObject({
      tasks: [{ id: task.id, progress: 0.5, status_message: "Half" }],
      total: 1,
    });
    const done = await mcp.call("task_complete", { ...held, output: { refund: "re_1" } });
    expect(done.task).toMatchObject({ id: task.id, status: "completed" });
    expect(await mcp.call("task_complete", { ...held, output: { refund: "re_1" } })).toEqual(done);
    const { body } = await worker.get(`/api/v1/tasks/${task.id}`);
    expect(body.task).toMatchObject({ status: "completed", output: { refund: "re_1" } });
    expect(await mcp.call("task_list", { queue, status: "submitted" })).toEqual({ tasks: [], total: 0 });
  });

  it("fail an attempt, and the task for good", async () => {
    const mcp = createMcpClient(worker, era);
    await createTask();
    const { task, lease } = await mcp.call("task_claim", { queues: [queue] });
    const held = { task_id: task.id, lease_token: lease.token };
    const failed = await mcp.call("task_fail", { ...held, message: "No such order", retryable: false });
    expect(failed.task).toMatchObject({ status: "failed" });
    expect(await mcp.fail("task_heartbeat", held)).toMatchObject({
      code: expect.stringMatching(/^(lease_lost|invalid_state)$/),
    });
  });

  it("give nobody a task that another one holds", async () => {
    await createTask();
    const rest = await world.agent.post("/api/v1/tasks/claim", { queues: [queue] });
    const mcp = createMcpClient(worker, era);
    expect(await mcp.call("task_claim", { queues: [queue] })).toEqual({ task: null, lease: null });
    const held = { task_id: rest.body.task.id, lease_token: rest.body.lease.token };
    expect(await mcp.fail("task_complete", held)).toMatchObject({ status: 409, code: "lease_lost" });
  });

  it("create a task once for a key, and reject the key with other arguments", async () => {
    const mcp = createMcpClient(worker, era);
    const asked = { title: "Once", queue, idempotency_key: crypto.randomUUID() };
    const first = await mcp.call("task_create", asked);
    expect((await mcp.call("task_create", asked)).task.id).toBe(first.task.id);
    expect(await mcp.fail("task_create", { ...asked, title: "Twice" })).toMatchObject({
      code: "idempotency_mismatch",
    });
    expect(await mcp.fail("task_create", { ...asked, idempotency_key: "a b" })).toMatchObject({
      code: "invalid_parameter",
    });
  });

  it("say what is wrong with arguments, as the model spelled them", async () => {
    const mcp = createMcpClient(worker, era);
    expect(await mcp.fail("task_claim", { queues: [] })).toMatchObject({ field: "queues" });
    expect(await mcp.fail("task_claim", { queues: [queue], wait_s: 51 })).toMatchObject({
      detail: "wait_s: must be a whole number from 0 to 50",
    });
    expect(await mcp.fail("task_create", { title: "A", input: [{ words: "b" }] })).toMatchObject({
      field: "input.0.words",
    });
    expect(
      await mcp.fail("task_heartbeat", { task_id: crypto.randomUUID(), lease_token: "x" }),
    ).toMatchObject({
      code: "not_found",
    });
  });
});

describe("task_claim that waits", () => {
  it("answers as an event stream that begins at once, where the client takes one", async () => {
    const accept = { accept: "application/json, text/event-stream" };
    const started = fetch(`${world.server.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: bearer, ...accept },
      body: JSON.stringify(callOf("task_claim", { queues: [queue], wait_s: 50 })),
    });
    // Resolves with the headers.
    const response = await started;
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    await waitForWaits(1);
    const id = await createTask();
    const [answer, ...others] = eventsOf(await response.text());
    expect(others).toEqual([]);
    expect(answer.result.structuredContent.task).toMatchObject({ id, status: "working" });
  });

  it("answers as JSON where the client takes nothing else", async () => {
    const answer = worker.post("/mcp", callOf("task_claim", { queues: [queue], wait_s: 50 }));
    await waitForWaits(1);
    await createTask();
    expect((await answer).headers.get("content-type")).toBe("application/json");
    expect((await answer).body.result.structuredContent.task).toMatchObject({ queue });
  });

  it.each(["application/json", "text/event-stream"])(
    "claims nothing for a client of %s that left",
    async (accept) => {
      const leaving = new AbortController();
      const answer = fetch(`${world.server.url}/mcp`, {
        ...{ method: "POST", signal: leaving.signal },
        headers: { "content-type": "application/json", authorization: bearer, accept },
        body: JSON.stringify(callOf("task_claim", { queues: [queue], wait_s: 50 })),
      }).then((response) => response.text());
      await waitForWaits(1);
      leaving.abort();
      await expect(answer).rejects.toThrow("aborted");
      await waitForWaits(0);
      const id = await createTask();
      const { body } = await world.agent.get(`/api/v1/tasks/${id}`);
      expect(body.task.status).toBe("submitted");
    },
  );

  it("ends when its credential is revoked: with 401, or an error in the stream", async () => {
    for (const accept of ["application/json", "application/json, text/event-stream"]) {
      const other = await mintAgent(world);
      const answer = other.client.post("/mcp", callOf("task_claim", { queues: [queue], wait_s: 50 }), {
        accept,
      });
      await waitForWaits(1);
      await world.agent.delete(`/api/v1/agent_tokens/${other.tokenId}`);
      const { status, body, text } = await answer;
      expect([status, (body ?? eventsOf(text)[0]).error.code]).toEqual([body === null ? 200 : 401, -32600]);
    }
  });
});
