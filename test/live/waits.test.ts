import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "../../src/auth/api-keys/create-api-key.ts";
import { updateApiKey } from "../../src/auth/api-keys/update-api-key.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { updateUserRole } from "../../src/domain/users/update-user-role.ts";
import { LIMITS } from "../../src/domain/kernel/limits.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { userCtx } from "../support/callers.ts";
import { type TestClient, createTestClient } from "../support/test-client.ts";
import { buildCookie, createPerson, beginTestSession } from "../support/people.ts";
import { expectProblem } from "../support/problem.ts";
import { agentSocket } from "../support/socket-client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

/** Waits until this many sockets and waiting requests are registered. */
async function waitUntilEntered(count: number): Promise<void> {
  const { connections } = world.server.services.live;
  await expect.poll(() => connections.count(), { timeout: 10_000 }).toEqual({ all: count, unidentified: 0 });
}

async function mint(handle: string): Promise<{ id: string; token: string; agent: TestClient }> {
  const { id, token } = (await world.agent.post("/api/v1/agent_tokens", { agent: { handle } })).body;
  return { id, token, agent: createTestClient(world.server.url, token) };
}

function newQueue(): string {
  return `q-${crypto.randomUUID()}`;
}

/** Creates a task in a queue without waiting requests, and checks that the next claim gets it. */
async function expectUnclaimed(queue: string): Promise<void> {
  await createTask(world.ctx, { title: "For the next", queue });
  const { body } = await world.agent.post("/api/v1/tasks/claim", { queues: [queue], wait: 5 });
  expect(body.lease.attempt).toBe(1);
}

describe("a waiting request", () => {
  it("is rejected as soon as its credential is revoked", async () => {
    const { id, agent } = await mint("revoked");
    const queue = newQueue();
    const start = (await agent.get("/api/v1/events")).body.next_after;
    const task = await createTask(world.ctx, { title: "x" });
    const waiting = [
      agent.post("/api/v1/tasks/claim", { queues: [queue], wait: 25 }),
      agent.get(`/api/v1/events?wait=30&types=agent.renamed&after=${start}`),
      agent.get(`/api/v1/tasks/${task.id}?current_generation=1&wait=25`),
    ];
    await waitUntilEntered(3);
    expect((await world.agent.delete(`/api/v1/agent_tokens/${id}`)).status).toBe(204);
    for (const refused of await Promise.all(waiting)) expectProblem(refused, 401, "invalid_token");
    await expectUnclaimed(queue);
  });

  it("must be repeated if its credential's rights have changed", async () => {
    const { apiKey, secret } = await createApiKey(world.ctx, {
      ...{ name: "Narrowed", scopes: ["events:read", "tasks:read"] },
    });
    const agent = createTestClient(world.server.url, secret);
    const waiting = agent.get("/api/v1/events?wait=30");
    await waitUntilEntered(1);
    await updateApiKey(world.ctx, apiKey.id, { scopes: ["events:read"] });
    expectProblem(await waiting, 503, "unavailable");
    expect((await agent.get("/api/v1/events")).status).toBe(200);
  });

  it("for events returns at once if their history was replaced", async () => {
    const { agent, workspaceId } = await world.another();
    const { body } = await agent.get("/api/v1/events");
    const started = performance.now();
    const waiting = agent.get(`/api/v1/events?wait=30&after=${body.next_after}`);
    const { waits } = world.server.services.live.metrics;
    await expect.poll(async () => (await waits.get()).values[0]?.value, { timeout: 10_000 }).toBe(1);
    await world.server.database.query(
      "UPDATE workspace_head SET epoch = gen_random_uuid() WHERE workspace_id = $1",
      [workspaceId],
    );
    expectProblem(await waiting, 410, "cursor_expired");
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it("of a user must be repeated if their role changes", async () => {
    const person = await createPerson(world.server, world.workspaceId, { role: "operator" });
    const cookie = buildCookie(await beginTestSession(world.server, person));
    const waiting = createTestClient(world.server.url).get("/api/v1/events?wait=30", { cookie });
    await waitUntilEntered(1);
    const owner = userCtx(world.server, world.workspaceId, "owner");
    await updateUserRole(owner, person.id, "viewer");
    expectProblem(await waiting, 503, "unavailable");
  });

  it("is rejected above the limit of its credential, but not another's", async () => {
    const [busy, quiet] = [await mint("busy"), await mint("quiet")];
    const id = toGlobalId("Task", (await createTask(world.ctx, { title: "x" })).id);
    const fields = Array.from(
      { length: LIMITS.waitsPerCredential / 10 },
      (_, index) => `f${index}: task(id: $id, currentGeneration: 1, waitSeconds: 25) { generation }`,
    );
    const document = `query ($id: ID!) { ${fields.join(" ")} }`;
    const over = new AbortController();
    const ask = (agent: TestClient) => agent.get("/api/v1/events?wait=1");
    const held = Array.from({ length: 10 }, () => post(busy.token, { document, id }, over.signal));
    await waitUntilEntered(LIMITS.waitsPerCredential);
    const refused = await ask(busy.agent);
    expectProblem(refused, 429, "rate_limited");
    expect(refused.headers.get("retry-after")).toBe("1");
    expect((await ask(quiet.agent)).status).toBe(200);
    over.abort();
    await Promise.all(held);
    await waitUntilEntered(0);
    expect((await ask(busy.agent)).status).toBe(200);
  });

  it("claims nothing for a disconnected caller of POST /graphql", async () => {
    const queue = newQueue();
    const over = new AbortController();
    const asked = post(world.apiKey, { document: buildClaim(queue) }, over.signal);
    await waitUntilEntered(1);
    over.abort();
    await asked;
    await waitUntilEntered(0);
    await expectUnclaimed(queue);
  });

  it("leaves nothing behind for a disconnected caller", async () => {
    const { waits } = world.server.services.live.metrics;
    const waiting = async () => (await waits.get()).values[0]?.value;
    const over = new AbortController();
    const document = 'query { eventsPage(types: ["mission.*"], waitSeconds: 25) { cursor } }';
    const asked = post(world.apiKey, { document }, over.signal);
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
    over.abort();
    await asked;
    await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
  });

  it("claims nothing for a closed socket", async () => {
    const queue = newQueue();
    const socket = await agentSocket(world.server.url, world.apiKey);
    socket.send({ type: "subscribe", id: "x", payload: { query: buildClaim(queue) } });
    await waitUntilEntered(2);
    socket.socket.close();
    await waitUntilEntered(0);
    await expectUnclaimed(queue);
  });

  it("claims nothing for a completed operation of a socket", async () => {
    const queue = newQueue();
    const socket = await agentSocket(world.server.url, world.apiKey);
    socket.send({ type: "subscribe", id: "x", payload: { query: buildClaim(queue) } });
    await waitUntilEntered(2);
    socket.send({ type: "complete", id: "x" });
    await waitUntilEntered(1);
    await expectUnclaimed(queue);
    expect(socket.messages.map(({ type }) => type)).toEqual(["connection_ack"]);
    socket.socket.terminate();
    await waitUntilEntered(0);
  });

  it("for events returns when the server stops", async () => {
    const other = await createWorld();
    const waiting = other.agent.get("/api/v1/events?wait=30");
    const { connections } = other.server.services.live;
    await expect.poll(() => connections.count().all).toBe(1);
    const started = performance.now();
    await other.server.close();
    expect((await waiting).body.events).toEqual([]);
    expect(performance.now() - started).toBeLessThan(8000);
  });
});

function buildClaim(queue: string): string {
  return `mutation { claimTask(input: { queues: ["${queue}"], waitSeconds: 25 }) { lease { token } } }`;
}

/** Calls POST /graphql until the signal is aborted. */
async function post(
  bearer: string,
  { document, id }: { document: string; id?: string },
  signal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify({ query: document, variables: { id } });
  const headers = { "content-type": "application/json", authorization: `Bearer ${bearer}` };
  await fetch(`${world.server.url}/graphql`, { method: "POST", headers, body, signal }).catch(() => {});
}
