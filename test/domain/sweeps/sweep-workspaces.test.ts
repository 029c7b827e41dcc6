import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sweepTasks } from "../../../src/domain/tasks/sweep-tasks.ts";
import { startDeadlineSweep } from "../../../src/domain/sweeps/start-deadline-sweep.ts";
import { holdLock } from "../../support/locked-table.ts";
import { PATIENCE } from "../../support/patience.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

const LATER = new Date("2100-01-01T00:00:00.000Z");

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** Creates a workspace with tasks due at {@link LATER}. */
async function workspaceWithDue(count: number): Promise<string> {
  const { workspaceId } = await server.createWorkspace();
  await server.database.query(
    `INSERT INTO task (workspace_id, id, context_id, title, created_by, deadline_at)
     SELECT $1::uuid, gen_random_uuid(), gen_random_uuid(), 'x', '{}', '2099-01-01' FROM generate_series(1, $2::int)`,
    [workspaceId, count],
  );
  return workspaceId;
}

async function countFailed(workspaceId: string): Promise<number> {
  return server.systemCtx(workspaceId).db.task.count({ where: { status: "failed" } });
}

/** Locks the head rows of workspaces, which every change of them needs. */
async function lockHeads(workspaceIds: string[]) {
  return holdLock(server.database, "SELECT 1 FROM workspace_head WHERE workspace_id = ANY($1) FOR UPDATE", [
    workspaceIds,
  ]);
}

describe("a sweep of many workspaces", () => {
  it("processes part of a large workspace, then others, and the rest in the next pass", async () => {
    const flooded = await workspaceWithDue(1050);
    const other = await workspaceWithDue(1);
    expect(await sweepTasks(server.services, LATER)).toBe(1001);
    expect([await countFailed(flooded), await countFailed(other)]).toEqual([1000, 1]);
    expect(await sweepTasks(server.services, LATER)).toBe(50);
  });

  it("continues with others if one workspace fails, and reports it", async () => {
    const [broken, sound] = [await workspaceWithDue(1), await workspaceWithDue(1)];
    await server.database.query("DELETE FROM workspace_head WHERE workspace_id = $1", [broken]);
    await expect(sweepTasks(server.services, LATER)).rejects.toThrow(AggregateError);
    expect([await countFailed(broken), await countFailed(sound)]).toEqual([0, 1]);
    await server.database.query("DELETE FROM task WHERE workspace_id = $1", [broken]);
  });

  it("is not delayed by workspaces that are locked", async () => {
    const locked = await workspaceWithDue(1);
    const sound = await Promise.all([workspaceWithDue(1), workspaceWithDue(1), workspaceWithDue(1)]);
    const lock = await lockHeads([locked]);
    const sweeping = sweepTasks(server.services, LATER);
    for (const id of sound) await expect.poll(() => countFailed(id), PATIENCE).toBe(1);
    expect(await countFailed(locked)).toBe(0);
    await lock.release();
    await sweeping;
    expect(await countFailed(locked)).toBe(1);
  });
});

describe("startDeadlineSweep", () => {
  it("notices what becomes due elsewhere while a workspace is locked", async () => {
    const locked = await workspaceWithDue(1);
    const lock = await lockHeads([locked]);
    const sweep = startDeadlineSweep(server.services, LATER);
    await lock.waiters(1);
    for (let n = 0; n < 3; n++) {
      const later = await workspaceWithDue(1);
      await expect.poll(() => countFailed(later), PATIENCE).toBe(1);
    }
    expect(await countFailed(locked)).toBe(0);
    await lock.release();
    await expect.poll(() => countFailed(locked), PATIENCE).toBe(1);
    await sweep.stop();
  });
});
