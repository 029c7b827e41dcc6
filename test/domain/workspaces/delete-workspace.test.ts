import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Services } from "../../../src/domain/kernel/services.ts";
import { cleanUp } from "../../../src/domain/sweeps/clean-up.ts";
import { deleteWorkspace, undeleteWorkspace } from "../../../src/domain/workspaces/delete-workspace.ts";
import { orderRemoval } from "../../../src/domain/workspaces/removal-order.ts";
import { createWorkspaceRemoval } from "../../../src/domain/workspaces/remove-workspaces.ts";
import { resumeWorkspace, suspendWorkspace } from "../../../src/domain/workspaces/suspend-workspace.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { lastAudit } from "../../support/person-ctx.ts";
import {
  type PopulatedWorkspace,
  createPopulatedWorkspace,
  readRows,
  tenantTables,
} from "../../support/populated-workspace.ts";
import { expectProblem } from "../../support/problem.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { createTestClient } from "../../support/test-client.ts";

const DAY_MS = 86_400_000;

let server: TestServer;
let own: PopulatedWorkspace;
let other: PopulatedWorkspace;

beforeAll(async () => {
  server = await startTestServer();
  other = await createPopulatedWorkspace(server);
});

beforeEach(async () => {
  own = await createPopulatedWorkspace(server);
});

afterAll(() => server.close());

/** Removes what is due after some days. @returns how many rows were deleted. */
async function removeAfter(days: number, services: Services = server.services): Promise<number> {
  const now = new Date(Date.now() + days * DAY_MS);
  const { deleted, failures, hasMore } = await cleanUp(services, [createWorkspaceRemoval(services, now)]);
  expect({ failures, hasMore }).toEqual({ failures: [], hasMore: false });
  return deleted["workspace"] ?? 0;
}

async function countRows(workspaceId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await tenantTables(server)) {
    const rows = await server.database.query(`SELECT FROM "${table}" WHERE workspace_id = $1`, [workspaceId]);
    if (rows.length > 0) counts[table] = rows.length;
  }
  return counts;
}

async function whoami({ apiKey }: PopulatedWorkspace) {
  return createTestClient(server.url, apiKey).get("/api/v1/whoami");
}

describe("deleteWorkspace", () => {
  it("suspends at once, and leaves nothing in any table once the days are over", async () => {
    await server.database.query(
      `INSERT INTO event (workspace_id, seq, id, type, subject_type, subject_id, actor, data, occurred_at)
       SELECT $1, 100000 + n, gen_random_uuid(), 'test.made', 'test', gen_random_uuid(), '{}', '{}', now()
       FROM generate_series(1, 2500) n`,
      [own.workspaceId],
    );
    const deletionAt = await deleteWorkspace(own.ctx, {});
    expect(Math.round((deletionAt.getTime() - Date.now()) / DAY_MS)).toBe(7);
    expectProblem(await whoami(own), 403, "workspace_suspended");
    expect((await whoami(other)).status).toBe(200);
    expect(await lastAudit(server, own.workspaceId)).toMatchObject({
      action: "workspace.deletion_requested",
      changes: { deletion_at: deletionAt.toISOString() },
    });
    expect(await removeAfter(6)).toBe(0);
    const before = await countRows(own.workspaceId);
    expect(Object.keys(before).length).toBeGreaterThan(60);
    const others = await readRows(server, other.workspaceId);
    expect(await removeAfter(8)).toBeGreaterThan(2500);
    expect(await countRows(own.workspaceId)).toEqual({});
    expect(await server.database.query("SELECT FROM workspace WHERE id = $1", [own.workspaceId])).toEqual([]);
    expect(await readRows(server, other.workspaceId)).toEqual(others);
    expectProblem(await whoami(own), 401, "invalid_token");
    expect((await whoami(other)).status).toBe(200);
  });

  it("deletes in batches that others' writes don't wait for", async () => {
    await deleteWorkspace(own.ctx, { graceDays: 1 });
    const client = createTestClient(server.url, other.apiKey);
    const progress = { isOver: false };
    const removal = removeAfter(2).finally(() => (progress.isOver = true));
    const statuses: number[] = [];
    while (!progress.isOver)
      statuses.push((await client.post("/api/v1/tasks", { title: "meanwhile" })).status);
    await removal;
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect(await countRows(own.workspaceId)).toEqual({});
  });

  it("can be undone within the days: it is as it was", async () => {
    await deleteWorkspace(own.ctx, {});
    expect(await getErrorCode(resumeWorkspace(own.ctx))).toBe("invalid_state");
    expect(await undeleteWorkspace(own.ctx)).toBeNull();
    expect((await whoami(own)).status).toBe(200);
    expect(await lastAudit(server, own.workspaceId)).toMatchObject({ action: "workspace.deletion_undone" });
    expect(await removeAfter(100)).toBe(0);
    expect(await getErrorCode(undeleteWorkspace(own.ctx))).toBe("invalid_state");

    const since = await suspendWorkspace(own.ctx);
    await deleteWorkspace(own.ctx, {});
    expect(await undeleteWorkspace(own.ctx)).toEqual(since);
    expectProblem(await whoami(own), 403, "workspace_suspended");
  });

  it("is for who runs the service alone", async () => {
    const owner = userCtx(server, own.workspaceId, "owner");
    expect(await getErrorCode(deleteWorkspace(owner, {}))).toBe("forbidden");
    expect(await getErrorCode(undeleteWorkspace(owner))).toBe("forbidden");
    for (const graceDays of [0, 91, Number.NaN])
      expect(await getErrorCode(deleteWorkspace(own.ctx, { graceDays }))).toBe("validation_failed");
  });
});

describe("orderRemoval", () => {
  it("deletes what refers before what it refers to, and clears as few references as it can", () => {
    const references = [
      { from: "b", to: "a", columns: null },
      { from: "a", to: "c", columns: ["c_id"] },
      { from: "c", to: "a", columns: ["a_id"] },
      { from: "c", to: "c", columns: ["parent_id"] },
    ];
    expect(orderRemoval(["a", "b", "c"], references)).toEqual([
      { table: "b", clear: null },
      { table: "c", clear: ["a_id"] },
      { table: "a", clear: null },
      { table: "c", clear: ["parent_id"] },
      { table: "c", clear: null },
    ]);
    expect(() => orderRemoval(["a"], [{ from: "a", to: "a", columns: null }])).toThrow("no order");
  });
});
