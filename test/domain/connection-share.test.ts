import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { holdLock } from "../support/locked-table.ts";
import { type World, createWorld } from "../support/world.ts";

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describe("a workspace in which many wait for its head", () => {
  it("takes up a part of the connections, so that another's writes come through", async () => {
    const { ctx, server, workspaceId } = world;
    const other = await world.another();
    const statement = "SELECT 1 FROM workspace_head WHERE workspace_id = $1 FOR UPDATE";
    const head = await holdLock(server.database, statement, [workspaceId]);
    const asked = Array.from({ length: 30 }, (_, n) => createTask(ctx, { title: `Waits ${n}` }));
    await head.waiters(5);
    await createTask(other.ctx, { title: "Comes through" });
    expect((await head.waiters(1)).length).toBeLessThanOrEqual(5);
    await head.release();
    expect(await Promise.all(asked)).toHaveLength(30);
  });
});
