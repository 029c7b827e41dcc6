import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { revokeAgentToken } from "../../src/auth/agent-tokens/revoke-agent-token.ts";
import { revokeApiKey } from "../../src/auth/api-keys/revoke-api-key.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { createKeyWith } from "../support/callers.ts";
import { createTestClient } from "../support/test-client.ts";
import { holdLock } from "../support/locked-table.ts";
import { type NodeProcess, startNode } from "../support/node-process.ts";
import { agentSocket } from "../support/socket-client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

// This starts whole servers, which takes time on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let world: TestWorld;
let frozen: NodeProcess;

beforeAll(async () => {
  world = await createWorld();
  frozen = await startNode(world.server.database.url);
});

afterAll(async () => {
  process.kill(frozen.pid, "SIGCONT");
  await frozen.stop();
  await world.server.close();
});

/** Freezes a node while it waits for a row. PostgreSQL then continues without it. */
async function freezeAt(row: [statement: string, id: string], ask: () => Promise<unknown>): Promise<void> {
  const [statement, id] = row;
  const held = await holdLock(world.server.database, statement, [id]);
  ask().catch(() => {});
  await held.waiters(1);
  process.kill(frozen.pid, "SIGSTOP");
  await held.release();
}

describe("a node that freezes during a transaction", () => {
  it.each([
    {
      ...{ how: "by Prisma", path: "/api/v1/messages", collection: "messages" },
      body: { parts: [{ text: "x" }] },
    },
    {
      ...{
        how: "of prepared statements",
        path: "/api/v1/operator/agent_commands",
        collection: "agent_commands",
      },
      body: null,
    },
  ])("$how doesn't block other writes in its workspace", async ({ path, body, collection }) => {
    const agent = createTestClient(frozen.url, world.apiKey);
    const me = await world.agent.get("/api/v1/whoami");
    const sent = body ?? { agent_id: me.body.actor.id, type: "agent.pause" };
    // There is a total to wait for.
    const first = await world.agent.post(path, sent);
    expect(first.status, first.text).toBeLessThan(300);
    const total = `SELECT 1 FROM collection_total WHERE workspace_id = $1 AND collection = '${collection}' FOR UPDATE`;
    await freezeAt([total, world.workspaceId], () => agent.post(path, sent));
    expect((await createTask(world.ctx, { title: "Beside it" })).title).toBe("Beside it");
    process.kill(frozen.pid, "SIGCONT");
    expect((await agent.get("/api/v1/whoami")).status).toBe(200);
  });

  it("locks a row for seconds at most: a locked key can be revoked", async () => {
    const secret = await createKeyWith(world.server, world.workspaceId, ["tasks:read"]);
    const { id } = (await createTestClient(world.server.url, secret).get("/api/v1/whoami")).body.credential;
    await freezeAt(["SELECT 1 FROM api_key WHERE id = $1 FOR UPDATE", id], () =>
      createTestClient(frozen.url, secret).post("/api/v1/socket_tokens"),
    );
    await revokeApiKey(world.ctx, id);
    process.kill(frozen.pid, "SIGCONT");
    const status = async () => (await createTestClient(frozen.url, secret).get("/api/v1/whoami")).status;
    await expect.poll(status).toBe(401);
  });
});

describe("a node that was frozen for longer than its caches are valid", () => {
  it("executes no request of a credential revoked meanwhile, over HTTP or a socket", async () => {
    const { body } = await world.agent.post("/api/v1/agent_tokens", { name: "Revoked meanwhile" });
    const mine = createTestClient(frozen.url, body.token);
    expect((await mine.get("/api/v1/whoami")).status).toBe(200);
    const socket = await agentSocket(frozen.url, body.token);
    process.kill(frozen.pid, "SIGSTOP");
    await revokeAgentToken(world.ctx, body.id);
    const query = 'mutation { createTask(input: { title: "too late" }) { task { uuid } } }';
    for (let n = 0; n < 15; n++) socket.send({ type: "subscribe", id: `m${n}`, payload: { query } });
    const asked = Array.from({ length: 5 }, () => mine.post("/api/v1/tasks", { title: "too late" }));
    const stopped = "SELECT 1 FROM node WHERE seen_at > clock_timestamp() - interval '6 seconds'";
    // Only the server of this process is visible.
    await expect
      .poll(async () => (await world.server.database.query(stopped)).length, { timeout: 30_000 })
      .toBe(1);
    process.kill(frozen.pid, "SIGCONT");
    expect([1013, 4401]).toContain((await socket.closed).code);
    for (const { status } of await Promise.all(asked)) expect([401, 503]).toContain(status);
    const late = "SELECT 1 FROM task WHERE workspace_id = $1 AND title = 'too late'";
    expect(await world.server.database.query(late, [world.workspaceId])).toEqual([]);
  });

  it("trusts no cached credential even before its timers run", async () => {
    const { live } = world.server.services;
    expect((await world.agent.get("/api/v1/whoami")).status).toBe(200);
    const socket = await agentSocket(world.server.url, world.apiKey);
    expect(live.isTrusted()).toBe(true);
    // As when the whole process is stopped, nothing else runs meanwhile.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5100);
    expect(live.isTrusted()).toBe(false);
    expect((await socket.closed).code).toBe(1013);
    await expect.poll(() => live.isTrusted()).toBe(true);
  });
});
