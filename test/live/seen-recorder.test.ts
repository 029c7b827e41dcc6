import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type LiveDatabase, openLiveDatabase } from "../../src/db/notifications.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import type { LiveConnection } from "../../src/live/connections.ts";
import { createSeenRecorder } from "../../src/live/seen-recorder.ts";
import { type HeldLock, holdLock } from "../support/locked-table.ts";
import { agentSocket, nextFrame, socketToken, subscribe, tokenSocket } from "../support/socket-client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

async function mint(): Promise<{ id: string; token: string }> {
  const { body } = await world.agent.post("/api/v1/agent_tokens", {
    agent: { handle: `a-${crypto.randomUUID()}` },
  });
  return { id: body.agent_id, token: body.token };
}

describe("agents that connect and disconnect at once", () => {
  it("are all recorded in one statement", async () => {
    const agents = await Promise.all(Array.from({ length: 20 }, mint));
    const { query } = world.server.database;
    await query("UPDATE agent SET last_seen_at = NULL");
    const database = openLiveDatabase(world.server.database.url, world.server.services.log);
    let statements = 0;
    const run: LiveDatabase["run"] = (statement, values) => {
      statements++;
      return database.run(statement, values);
    };
    const seen = createSeenRecorder({ ...database, run }, { log: world.server.services.log, now: null });
    for (const { id } of agents) seen.note([createConnection(id)]);
    await seen.flush();
    const ids = agents.map(({ id }) => id);
    const noted = "SELECT id FROM agent WHERE last_seen_at IS NOT NULL AND id = ANY ($1)";
    expect(await query(noted, [ids])).toHaveLength(ids.length);
    expect(statements).toBeLessThanOrEqual(2);
    await database.close();
  });
});

function createConnection(agentId: string): LiveConnection {
  const { workspaceId } = world;
  const credential = {
    credentialId: "x",
    socketTokenId: "x",
    parent: { kind: "api_key" as const, id: "x" },
    agentTokenId: null,
  };
  const identity = { kind: "agent" as const, workspaceId, agentId, ...credential };
  return { id: "x", identity, endsAtMs: Infinity, kill: () => {} };
}

describe("the sockets of an agent whose row is locked", () => {
  let lock: HeldLock;
  let open: () => Promise<void>;

  beforeEach(async () => {
    const { id, token } = await mint();
    const opening = await socketToken(world.server.url, token);
    lock = await holdLock(world.server.database, "SELECT 1 FROM agent WHERE id = $1 FOR UPDATE", [id]);
    open = async () => {
      await Promise.all(Array.from({ length: 30 }, () => tokenSocket(world.server.url, opening)));
    };
  });

  afterEach(() => lock.release());

  it("block no event, however many connect at once", async () => {
    const { ctx, apiKey } = await world.another();
    const calm = await agentSocket(world.server.url, apiKey);
    subscribe(calm, "calm", { types: ["task.*"] });
    await nextFrame(calm);
    await open();
    const started = performance.now();
    const task = await createTask(ctx, { title: "Meanwhile" });
    expect((await nextFrame(calm)).subjectUuid).toBe(task.id);
    expect(performance.now() - started).toBeLessThan(1500);
  });

  it("don't prevent other agents from being recorded", async () => {
    const { id, token } = await mint();
    const socket = await agentSocket(world.server.url, token);
    const { query } = world.server.database;
    const lastSeen = async () => {
      const [row] = await query<{ at: Date | null }>("SELECT last_seen_at AS at FROM agent WHERE id = $1", [
        id,
      ]);
      return row?.at;
    };
    await expect.poll(lastSeen).toBeInstanceOf(Date);
    await query("UPDATE agent SET last_seen_at = NULL WHERE id = $1", [id]);
    await open();
    socket.socket.close();
    await expect.poll(lastSeen, { timeout: 3000 }).toBeInstanceOf(Date);
  });
});
