import { share } from "../../src/db/sql.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { agentCtx } from "../support/agent-ctx.ts";
import { userCtx } from "../support/callers.ts";
import { createTestClient } from "../support/test-client.ts";
import { insertTestAgent } from "../support/factories.ts";
import { type HeldLock, holdLock } from "../support/locked-table.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

/** Connections per lane. */
const SHARE = 4;
const LOCK = 7_251;
const SLOW = { name: "", text: "SELECT pg_advisory_xact_lock_shared($1) IS NULL AS at, $2::int AS nth" };

let world: TestWorld;
/** An agent of the workspace with many concurrent requests. */
let greedy: Ctx;

beforeAll(async () => {
  world = await createWorld();
  const { server, workspaceId, ctx } = world;
  greedy = agentCtx(server, { id: await insertTestAgent(ctx), workspaceId });
});

afterAll(() => world.server.close());

/** Starts this many reads that don't finish before the lock is released. */
async function readSlowly(count: number): Promise<{ lock: HeldLock; asked: Promise<object[]>[] }> {
  const lock = await holdLock(world.server.database, "SELECT pg_advisory_xact_lock($1)", [LOCK]);
  const asked = Array.from({ length: count }, (_, nth) =>
    nth % 2 === 0 ? greedy.read(SLOW, [LOCK, nth]) : greedy.read(share(SLOW), [LOCK, nth]),
  );
  await lock.waiters(SHARE);
  return { lock, asked };
}

describe("many concurrent reads of a workspace's agents", () => {
  it("wait for each other, and block nobody else", async () => {
    const { server, workspaceId } = world;
    const other = await world.another();
    const { lock, asked } = await readSlowly(30);
    expect((await other.agent.get("/api/v1/tasks")).status).toBe(200);
    const person = userCtx(server, workspaceId, "viewer");
    expect(await person.read({ name: "", text: "SELECT 1 AS one" }, [])).toEqual([{ one: 1 }]);
    expect(await lock.waiters(1)).toHaveLength(SHARE);
    await lock.release();
    await Promise.allSettled(asked);
  });

  it("include reads of single rows", async () => {
    const { workspaceId, ctx } = world;
    const { id } = await createTask(ctx, { title: "Is looked up" });
    const where = { workspaceId_id: { workspaceId, id } };
    const { lock, asked } = await readSlowly(SHARE);
    const found: string[] = [];
    const read = async (by: Ctx, who: string) => {
      await Promise.all([by.db.task.findUnique({ where }), by.db.task.findMany({ take: 1 })]);
      found.push(who);
    };
    const late = read(greedy, "greedy");
    await read(userCtx(world.server, workspaceId, "viewer"), "person");
    expect(found).toEqual(["person"]);
    await lock.release();
    await Promise.all([late, ...asked]);
    expect(found).toEqual(["person", "greedy"]);
  });

  it("don't block writes that read in their transaction", async () => {
    const read = { name: "", text: "SELECT $1::int AS nth" };
    const asked = Array.from({ length: 30 }, (_, nth) =>
      greedy.transaction(async (tx) => {
        await tx.db.task.findFirst();
        await greedy.db.task.findMany({ take: 1 });
        return greedy.read(read, [nth]);
      }),
    );
    expect(await Promise.all(asked)).toHaveLength(30);
  });

  it("don't block the revocation of a token by another agent", async () => {
    const { server, agent, ctx } = world;
    const minted = await agent.post("/api/v1/agent_tokens");
    const bearer = createTestClient(server.url, minted.body.token);
    expect((await bearer.get("/api/v1/whoami")).status).toBe(200);
    const task = await createTask(ctx, { title: "Is locked" });
    const row = await holdLock(server.database, "SELECT 1 FROM task WHERE id = $1 FOR UPDATE", [task.id]);
    const lockTask = { name: "", text: "SELECT 1 FROM task WHERE id = $1 FOR UPDATE" };
    const writes = Array.from({ length: 30 }, () =>
      greedy.transaction(({ run }) => run(lockTask, [task.id])),
    );
    await row.waiters(SHARE);
    const { lock, asked } = await readSlowly(30);
    const revoked = await bearer.post("/api/v1/tokens/revoke", { token: minted.body.token });
    expect(revoked.status).toBe(200);
    expect((await bearer.get("/api/v1/whoami")).status).toBe(401);
    for (const held of [lock, row]) expect(await held.waiters(SHARE)).toHaveLength(SHARE);
    await Promise.all([lock.release(), row.release()]);
    await Promise.allSettled([...asked, ...writes]);
  });
});
