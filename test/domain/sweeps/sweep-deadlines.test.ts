import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAlertRule } from "../../../src/domain/alerts/create-alert-rule.ts";
import { startDeadlineSweep } from "../../../src/domain/sweeps/start-deadline-sweep.ts";
import { sweepDeadlines } from "../../../src/domain/sweeps/sweep-deadlines.ts";
import { lockTable } from "../../support/locked-table.ts";
import { PATIENCE } from "../../support/patience.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { recordStatements } from "../../support/recorded-statements.ts";

let server: QuietServices;
let workspaceId: string;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  ({ workspaceId } = await server.createWorkspace());
});

const NOW = new Date("2030-01-01T00:00:00Z");

function open() {
  const { services, asked } = recordStatements(server.services);
  return { services: { ...server.services, ...services }, asked };
}

/** A waiting task whose deadline is then. */
async function insertTask(deadline: string): Promise<string> {
  const id = crypto.randomUUID();
  await server.database.query(
    `INSERT INTO task (workspace_id, id, context_id, title, queue, status, created_by, deadline_at)
     VALUES ($1, $2, $2, 'Late', 'q', 'submitted', '{"type": "system", "name": "x"}', $3)`,
    [workspaceId, id, deadline],
  );
  return id;
}

async function readStatus(id: string): Promise<unknown> {
  const [row] = await server.database.query<{ status: string }>("SELECT status FROM task WHERE id = $1", [
    id,
  ]);
  return row?.status;
}

describe("sweepDeadlines", () => {
  it("asks once what is due, and no more if nothing is", async () => {
    await insertTask("2030-01-01T00:00:01Z");
    const { services, asked } = open();
    await sweepDeadlines(services, NOW);
    expect(asked).toHaveLength(1);
  });

  it("handles what is due at the time", async () => {
    const [due, later] = [await insertTask("2029-12-31T23:59:59Z"), await insertTask("2030-01-01T00:00:01Z")];
    await sweepDeadlines(server.services, NOW);
    expect([await readStatus(due), await readStatus(later)]).toEqual(["failed", "submitted"]);
  });

  it("handles the rest where the deadlines of one resource can't be read", async () => {
    const due = await insertTask("2029-12-31T23:59:59Z");
    await server.database.query("ALTER TABLE alert_rule RENAME TO gone");
    try {
      await expect(sweepDeadlines(server.services, NOW)).rejects.toThrow("deadlines could not be handled");
    } finally {
      await server.database.query("ALTER TABLE gone RENAME TO alert_rule");
    }
    expect(await readStatus(due)).toBe("failed");
  });
});

describe("startDeadlineSweep", () => {
  it("does not keep deadlines waiting for alert rules of others that take long", async () => {
    const costs = await lockTable(server.database, "usage_bucket");
    for (let n = 0; n < 5; n++) {
      const rule = { name: "Cost", metric: "cost_usd", windowSeconds: 3600, threshold: 1 } as const;
      await createAlertRule(server.systemCtx((await server.createWorkspace()).workspaceId), rule);
    }
    const sweep = startDeadlineSweep(server.services, NOW);
    const waiting = await costs.waiters(4);
    const due = await insertTask("2029-12-31T23:59:59Z");
    await expect.poll(() => readStatus(due), PATIENCE).toBe("failed");
    expect(await costs.waiters(4)).toEqual(waiting);
    await costs.release();
    await sweep.stop();
  });
});
