import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "../../../src/auth/api-keys/create-api-key.ts";
import { rotateApiKey } from "../../../src/auth/api-keys/rotate-api-key.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { holdLock } from "../../support/locked-table.ts";
import { expectProblem } from "../../support/problem.ts";
import { startOn } from "../../support/server.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const TASKS = "/api/v1/tasks";
// Later than the time after which the sweep deletes keys.
const NOW = new Date("2100-01-01T00:00:00.000Z");

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld({}, NOW);
});

afterAll(() => world.server.close());

function key(): { "idempotency-key": string } {
  return { "idempotency-key": crypto.randomUUID() };
}

/** Mints a token of a key, for an agent or for the key's own. */
async function mint(from: TestClient, agent?: { handle: string }): Promise<TestClient> {
  const { token } = (await from.post("/api/v1/agent_tokens", { ...(agent && { agent }) })).body;
  return createTestClient(world.server.url, token);
}

async function readTasks(title: string): Promise<{ id: string }[]> {
  return world.server.database.query("SELECT id FROM task WHERE title = $1", [title]);
}

describe("Idempotency-Key", () => {
  it("returns the same task for a repeated request", async () => {
    const [sent, title] = [key(), crypto.randomUUID()];
    const first = await world.agent.post(TASKS, { title }, sent);
    const again = await world.agent.post(TASKS, { title }, sent);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(await readTasks(title)).toEqual([{ id: first.body.task.id }]);
  });

  it("returns the current task for a repeated request", async () => {
    const sent = key();
    const { id } = (await world.agent.post(TASKS, { title: "x" }, sent)).body.task;
    await world.server.database.query("UPDATE task SET status = 'working' WHERE id = $1", [id]);
    const again = await world.agent.post(TASKS, { title: "x" }, sent);
    expect(again.body.task).toMatchObject({ id, status: "working" });
  });

  it("returns the same message for a repeated request", async () => {
    const sent = key();
    const body = { parts: [{ text: "once" }] };
    const first = await world.agent.post("/api/v1/messages", body, sent);
    const again = await world.agent.post("/api/v1/messages", body, sent);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
  });

  it("rejects another request with the same key", async () => {
    const sent = key();
    await world.agent.post(TASKS, { title: "one" }, sent);
    expectProblem(await world.agent.post(TASKS, { title: "two" }, sent), 422, "idempotency_mismatch");
    const elsewhere = await world.agent.post("/api/v1/messages", { parts: [{ text: "x" }] }, sent);
    expectProblem(elsewhere, 422, "idempotency_mismatch");
  });

  it("can be reused after a rejected request", async () => {
    const sent = key();
    expectProblem(await world.agent.post(TASKS, { title: "" }, sent), 422, "validation_failed");
    const parent_task_id = crypto.randomUUID();
    expectProblem(
      await world.agent.post(TASKS, { title: "x", parent_task_id }, sent),
      422,
      "validation_failed",
    );
    expect((await world.agent.post(TASKS, { title: "x" }, sent)).status).toBe(201);
  });

  it("creates one task for two concurrent requests", async () => {
    for (let round = 0; round < 8; round++) {
      const [sent, title] = [key(), crypto.randomUUID()];
      const both = await Promise.all([
        world.agent.post(TASKS, { title }, sent),
        world.agent.post(TASKS, { title }, sent),
      ]);
      const [row, ...more] = await readTasks(title);
      expect(more).toEqual([]);
      expect(both.some(({ status }) => status === 201)).toBe(true);
      for (const answer of both) {
        if (answer.status === 201) expect(answer.body.task.id).toBe(row?.id);
        else expectProblem(answer, 409, "idempotency_conflict");
      }
    }
  });

  it("rejects a request while the first one is running", async () => {
    const [sent, title] = [key(), crypto.randomUUID()];
    const head = await holdLock(
      world.server.database,
      "SELECT 1 FROM workspace_head WHERE workspace_id = $1 FOR UPDATE",
      [world.workspaceId],
    );
    const first = world.agent.post(TASKS, { title }, sent);
    await head.waiters(1);
    expectProblem(await world.agent.post(TASKS, { title }, sent), 409, "idempotency_conflict");
    await head.release();
    expect((await first).status).toBe(201);
    expect(await readTasks(title)).toHaveLength(1);
  });

  it("is kept for exactly 24 hours", async () => {
    const [sent, title] = [key(), crypto.randomUUID()];
    const { id } = (await world.agent.post(TASKS, { title }, sent)).body.task;
    const day = 24 * 3_600_000;
    const before = await startOn(world.server.database, {}, new Date(NOW.getTime() + day - 1));
    const after = await startOn(world.server.database, {}, new Date(NOW.getTime() + day));
    const replay = await createTestClient(before.url, world.apiKey).post(TASKS, { title }, sent);
    expect(replay.body.task.id).toBe(id);
    const anew = await createTestClient(after.url, world.apiKey).post(TASKS, { title }, sent);
    expect(anew.status).toBe(201);
    expect(anew.body.task.id).not.toBe(id);
    await before.stop();
    await after.stop();
  });

  it("is shared with the agent's next token and the rotated key", async () => {
    const [sent, title] = [key(), crypto.randomUUID()];
    const [own, worker] = [await world.another(), { handle: "worker" }];
    const first = await mint(own.agent, worker);
    const { id } = (await first.post(TASKS, { title }, sent)).body.task;
    const second = await mint(own.agent, worker);
    expect((await second.post(TASKS, { title }, sent)).body.task.id).toBe(id);
    expectProblem(await second.post(TASKS, { title: "two" }, sent), 422, "idempotency_mismatch");
    const { id: keyId } = (await own.agent.get("/api/v1/whoami")).body.credential;
    const { secret } = await rotateApiKey(own.ctx, keyId, { overlapSeconds: 0 });
    const third = await mint(createTestClient(world.server.url, secret), worker);
    expect((await third.post(TASKS, { title }, sent)).body.task.id).toBe(id);
    expect(await readTasks(title)).toEqual([{ id }]);
  });

  it("rejects the agent's other token while the first request is running", async () => {
    const [sent, title] = [key(), crypto.randomUUID()];
    const [first, second] = [await mint(world.agent), await mint(world.agent)];
    const head = await holdLock(
      world.server.database,
      "SELECT 1 FROM workspace_head WHERE workspace_id = $1 FOR UPDATE",
      [world.workspaceId],
    );
    const running = first.post(TASKS, { title }, sent);
    await head.waiters(1);
    expectProblem(await second.post(TASKS, { title }, sent), 409, "idempotency_conflict");
    await head.release();
    expect((await running).status).toBe(201);
  });

  it("is separate for each agent and each API key", async () => {
    const [sent, title] = [key(), crypto.randomUUID()];
    const ownId = (await world.agent.get("/api/v1/whoami")).body.actor.id;
    const { handle } = (await world.agent.get(`/api/v1/agents/${ownId}`)).body.agent;
    const sameAgent = await createApiKey(world.ctx, {
      name: "x",
      scopes: ["tasks:write"],
      agentHandle: handle,
    });
    const credentials = [
      world.agent,
      await mint(world.agent, { handle: "another" }),
      createTestClient(world.server.url, sameAgent.secret),
      await world.agentWith("tasks:write"),
    ];
    for (const credential of credentials) {
      expect((await credential.post(TASKS, { title }, sent)).status).toBe(201);
    }
    const other = await world.another();
    expect((await other.agent.post(TASKS, { title: "another" }, sent)).status).toBe(201);
    expect(await readTasks(title)).toHaveLength(credentials.length);
  });

  it.each(["", "a b", "é", "a\tb", "x".repeat(256), "one, two"])(
    "rejects the malformed key %j",
    async (malformed) => {
      const refused = await world.agent.post(TASKS, { title: "x" }, { "idempotency-key": malformed });
      expectProblem(refused, 400, "invalid_parameter");
      expect(refused.body.field).toBe("Idempotency-Key");
    },
  );

  it.each(["x", "x".repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"', "!~"])(
    "accepts the key %s",
    async (wellFormed) => {
      const sent = { "idempotency-key": wellFormed };
      expect((await world.agent.post(TASKS, { title: "x" }, sent)).status).toBe(201);
    },
  );

  it.each(["/api/v1/agent_tokens", "/api/v1/socket_tokens"])(
    "is ignored by %s, because secrets are shown only once",
    async (path) => {
      const sent = key();
      const [first, second] = [
        await world.agent.post(path, {}, sent),
        await world.agent.post(path, {}, sent),
      ];
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.body.token).not.toBe(first.body.token);
      expect((await world.agent.post(path, {}, { "idempotency-key": "a b" })).status).toBe(201);
    },
  );
});
