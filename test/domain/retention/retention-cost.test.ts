import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { createRetentionCleanups } from "../../../src/domain/retention/retention-cleanups.ts";
import { RETENTION_RULES } from "../../../src/domain/retention/retention-rules.ts";
import { WINDOW_ROWS } from "../../../src/domain/retention/retention-statements.ts";
import { cleanUp } from "../../../src/domain/sweeps/clean-up.ts";
import { holdLock } from "../../support/locked-table.ts";
import { insertOldMessages } from "../../support/old-messages.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { type AskedStatement, explainAsked, recordStatements } from "../../support/recorded-statements.ts";
import { sweepRetention } from "../../support/sweep.ts";

const KEPT = 30_000;
const DUE = 1200;

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

async function countMessages(workspaceId: string): Promise<number> {
  const [row] = await quiet.database.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM message WHERE workspace_id = $1",
    [workspaceId],
  );
  return row?.count ?? 0;
}

/** A workspace with messages beyond retention. */
async function createOldWorkspace(count: number): Promise<string> {
  const { workspaceId } = await quiet.createWorkspace();
  await insertOldMessages(quiet.database, workspaceId, { count });
  return workspaceId;
}

describe("a backlog", () => {
  it("of many batches is deleted by one run", async () => {
    const workspaceId = await createOldWorkspace(7600);
    expect(await sweepRetention(quiet.services)).toBe(7600);
    expect(await countMessages(workspaceId)).toBe(0);
  });

  it("of references is cleared in batches before their row is deleted", async () => {
    const { workspaceId } = await quiet.createWorkspace();
    const ctx = quiet.systemCtx(workspaceId);
    const { id: taskId } = await createTask(ctx, { title: "x" });
    await insertOldMessages(quiet.database, workspaceId, { count: 12_000, taskId, days: 10 });
    await quiet.database.query(
      "UPDATE task SET status = 'failed', finished_at = now() - interval '91 days' WHERE id = $1",
      [taskId],
    );
    const { services, asked } = recordStatements(quiet.services);
    expect(await sweepRetention(services)).toBe(1);
    expect(asked.filter(({ statement }) => statement.name === "retention_clear_task")).toHaveLength(3);
    expect(
      await quiet.database.query("SELECT 1 FROM message WHERE workspace_id = $1 AND task_id IS NOT NULL", [
        workspaceId,
      ]),
    ).toEqual([]);
    expect(await countMessages(workspaceId)).toBe(12_000);
  });
});

describe("a workspace whose rows can't be deleted", () => {
  it("is reported and does not stop others", async () => {
    const [broken, sound] = [await createOldWorkspace(600), await createOldWorkspace(1600)];
    await quiet.database.query("DELETE FROM workspace_head WHERE workspace_id = $1", [broken]);
    const { deleted, failures } = await cleanUp(
      quiet.services,
      createRetentionCleanups(quiet.services, null),
    );
    expect(deleted).toMatchObject({ message: 1600 });
    expect(failures).toHaveLength(1);
    expect([await countMessages(broken), await countMessages(sound)]).toEqual([600, 0]);
    await quiet.database.query("DELETE FROM message WHERE workspace_id = $1", [broken]);
  });

  it("because it is locked does not delay others", async () => {
    const [locked, sound] = [await createOldWorkspace(600), await createOldWorkspace(1600)];
    const lock = await holdLock(
      quiet.database,
      "SELECT 1 FROM workspace_head WHERE workspace_id = $1 FOR UPDATE",
      [locked],
    );
    const sweeping = sweepRetention(quiet.services);
    await expect.poll(() => countMessages(sound), { timeout: 8000 }).toBe(0);
    expect(await countMessages(locked)).toBe(600);
    await lock.release();
    expect(await sweeping).toBe(2200);
  });
});

describe("the cost of rows that stay", () => {
  let workspaceId: string;
  const asked: AskedStatement[] = [];
  const askedAgain: AskedStatement[] = [];

  beforeAll(async () => {
    ({ workspaceId } = await quiet.createWorkspace());
    const { id: taskId } = await createTask(quiet.systemCtx(workspaceId), { title: "x" });
    await insertOldMessages(quiet.database, workspaceId, { count: KEPT, taskId, days: 200 });
    await insertOldMessages(quiet.database, workspaceId, { count: DUE });
    await quiet.database.query("VACUUM ANALYZE");
    const recording = recordStatements(quiet.services);
    const cleanups = createRetentionCleanups(recording.services, null);
    const result = await cleanUp(recording.services, cleanups);
    expect(result).toMatchObject({ deleted: { message: DUE }, failures: [] });
    asked.push(...recording.asked.splice(0));
    await cleanUp(recording.services, cleanups);
    askedAgain.push(...recording.asked);
  });

  it.each(["custom", "generic"] as const)("finds workspaces without reading them (%s plan)", async (mode) => {
    const due = asked.filter(({ statement }) => statement.name.startsWith("retention_due_"));
    expect(due).toHaveLength(RETENTION_RULES.length);
    for (const one of due) {
      const nodes = await explainAsked(quiet.database, one, mode);
      // The other tables are empty.
      for (const node of nodes.filter((some) => some["Relation Name"] === "message")) {
        expect(node["Node Type"]).toMatch(/^Index/);
        expect(node["Actual Rows"]).toBeLessThanOrEqual(1);
      }
      expect(nodes[0]["Shared Hit Blocks"] + nodes[0]["Shared Read Blocks"]).toBeLessThan(200);
    }
  });

  it.each(["custom", "generic"] as const)("reads each once, by an index (%s plan)", async (mode) => {
    const windows = asked.filter(({ statement }) => statement.name === "retention_window_message");
    expect(windows).toHaveLength(Math.ceil((KEPT + DUE) / WINDOW_ROWS));
    const locks = asked.filter(({ statement }) => statement.name.startsWith("retention_lock_message"));
    expect(locks.length).toBeLessThanOrEqual(windows.length + Math.ceil(DUE / 500));
    for (const one of [...windows, ...locks]) {
      const nodes = await explainAsked(quiet.database, one, mode);
      for (const node of nodes.filter((some) => some["Relation Name"] !== undefined)) {
        const read = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
        expect(read).toBeLessThanOrEqual(WINDOW_ROWS);
        if (node["Relation Name"] === "message") expect(node["Node Type"]).toMatch(/^(Index|Bitmap)/);
      }
    }
  });

  it("does not read them again with every run", () => {
    expect(askedAgain.filter(({ statement }) => statement.name.startsWith("retention_lock_"))).toEqual([]);
  });
});
