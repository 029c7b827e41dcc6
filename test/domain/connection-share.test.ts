import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readListVersion } from "../../src/domain/kernel/list-version.ts";
import { toDomainError } from "../../src/domain/kernel/to-domain-error.ts";
import { listTasks } from "../../src/domain/tasks/list-tasks.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { holdLock, lockTable } from "../support/locked-table.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describe("a workspace with many writes waiting for its head", () => {
  it("uses only part of the connections, so others can write", async () => {
    const { ctx, server, workspaceId } = world;
    const other = await world.another();
    const statement = "SELECT 1 FROM workspace_head WHERE workspace_id = $1 FOR UPDATE";
    const head = await holdLock(server.database, statement, [workspaceId]);
    const asked = Array.from({ length: 30 }, (_, n) => createTask(ctx, { title: `Waits ${n}` }));
    await head.waiters(4);
    await createTask(other.ctx, { title: "Comes through" });
    expect((await head.waiters(1)).length).toBeLessThanOrEqual(4);
    await head.release();
    expect(await Promise.all(asked)).toHaveLength(30);
  });
});

describe("a workspace with many concurrent reads", () => {
  it("uses only part of the connections, so others can read", async () => {
    const { ctx, server } = world;
    const other = await world.another();
    const tasks = await lockTable(server.database, "task");
    const asked = Array.from({ length: 30 }, () => listTasks(ctx, {}));
    await tasks.waiters(4);
    expect(await readListVersion(other.ctx, "tasks", null)).toMatch(/./);
    expect((await tasks.waiters(1)).length).toBeLessThanOrEqual(4);
    await tasks.release();
    expect(await Promise.all(asked)).toHaveLength(30);
  });

  it("reads nothing for a caller that has disconnected", async () => {
    const { server, workspaceId } = world;
    const tasks = await lockTable(server.database, "task");
    const asked = Array.from({ length: 4 }, () => listTasks(server.systemCtx(workspaceId), {}));
    await tasks.waiters(4);
    const gone = new AbortController();
    const ctx = Object.assign(server.systemCtx(workspaceId), { signal: gone.signal });
    const reads = [ctx.read(READ, []), ctx.db.task.findFirst()].map(keepError);
    gone.abort();
    expect(await Promise.race([Promise.all(reads), Promise.all(asked)])).toEqual([
      "unavailable",
      "unavailable",
    ]);
    await tasks.release();
    expect(await Promise.all(asked)).toHaveLength(4);
  });
});

const READ = { name: "any_task", text: "SELECT id FROM task LIMIT 1" };

/** The error code, or null. */
async function keepError(work: Promise<unknown>): Promise<string | null> {
  return work.then(
    () => null,
    (error: unknown) => toDomainError(error)?.code ?? null,
  );
}
