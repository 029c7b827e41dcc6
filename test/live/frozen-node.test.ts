import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { revokeApiKey } from "../../src/auth/api-keys/revoke-api-key.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { createKeyWith } from "../support/callers.ts";
import { createClient } from "../support/client.ts";
import { holdLock } from "../support/locked-table.ts";
import { type NodeProcess, startNode } from "../support/node-process.ts";
import { type World, createWorld } from "../support/world.ts";

// Whole servers start here, and a busy machine takes its time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let world: World;
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

/** Lets a node come so far that it waits for a row, and stops it there; PostgreSQL then goes on without it. */
async function freezeAt(row: [statement: string, id: string], ask: () => Promise<unknown>): Promise<void> {
  const [statement, id] = row;
  const held = await holdLock(world.server.database, statement, [id]);
  ask().catch(() => {});
  await held.waiters(1);
  process.kill(frozen.pid, "SIGSTOP");
  await held.release();
}

describe("a node that stands still in the middle of a transaction", () => {
  it.each([
    {
      ...{ how: "by Prisma", path: "/api/v1/messages", collection: "messages" },
      body: { role: "agent", parts: [{ text: "x" }] },
    },
    {
      ...{
        how: "of prepared statements",
        path: "/api/v1/operator/agent_commands",
        collection: "agent_commands",
      },
      body: null,
    },
  ])("$how keeps no other from writing in its workspace", async ({ path, body, collection }) => {
    const agent = createClient(frozen.url, world.apiKey);
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

  it("holds a row for seconds at most: a key that it has locked can be revoked", async () => {
    const secret = await createKeyWith(world.server, world.workspaceId, ["tasks:read"]);
    const { id } = (await createClient(world.server.url, secret).get("/api/v1/whoami")).body.credential;
    await freezeAt(["SELECT 1 FROM api_key WHERE id = $1 FOR UPDATE", id], () =>
      createClient(frozen.url, secret).post("/api/v1/socket_tokens"),
    );
    await revokeApiKey(world.ctx, id);
    process.kill(frozen.pid, "SIGCONT");
    const status = async () => (await createClient(frozen.url, secret).get("/api/v1/whoami")).status;
    await expect.poll(status).toBe(401);
  });
});
