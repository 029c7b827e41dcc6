import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { listQueues } from "../../../src/domain/tasks/list-queues.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { insertTaskRows } from "../../support/task-rows.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describe("listQueues", () => {
  it("lists each queue with tasks once, of the workspace only, at most a hundred", async () => {
    const { ctx: other } = await world.another();
    expect(await listQueues(other)).toEqual([]);
    for (const queue of ["b", "a", "b", "default"]) await createTask(other, { title: "A task", queue });
    expect(await listQueues(other)).toEqual(["a", "b", "default"]);
    expect(await listQueues(world.ctx)).toEqual([]);
    const count = LIMITS.listedQueues + 2;
    await insertTaskRows(world.server.database, world.workspaceId, { count });
    await world.server.database.query(
      `UPDATE task t SET queue = 'q' || n.number
       FROM (SELECT id, 99 + row_number() OVER () AS number FROM task WHERE workspace_id = $1::uuid) n
       WHERE t.workspace_id = $1::uuid AND t.id = n.id`,
      [world.workspaceId],
    );
    const names = Array.from({ length: count }, (_, at) => `q${at + 100}`);
    expect(await listQueues(world.ctx)).toEqual(names.slice(0, LIMITS.listedQueues));
  });
});
