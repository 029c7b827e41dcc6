import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sweepTasks } from "../../../src/domain/tasks/sweep-tasks.ts";
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
  });
});
