import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { newAlertRule } from "../../../src/domain/alerts/alert-rule.ts";
import { createAlertRule } from "../../../src/domain/alerts/create-alert-rule.ts";
import { deleteAlertRule } from "../../../src/domain/alerts/delete-alert-rule.ts";
import { evaluateAlerts } from "../../../src/domain/alerts/evaluate-alerts.ts";
import { readAlertRule } from "../../../src/domain/alerts/read-alert-rule.ts";
import { updateAlertRule } from "../../../src/domain/alerts/update-alert-rule.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createAgentCommand, insertTestAgent } from "../../support/factories.ts";
import { lockTable } from "../../support/locked-table.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

type NewRule = z.input<typeof newAlertRule>;

const QUEUE: NewRule = { name: "A long queue", metric: "queue_depth", threshold: 2, watched: { queue: "q" } };

let server: QuietServices;
let ctx: Ctx;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  await server.database.query("DELETE FROM alert_rule");
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

/** Looks at the rules that are due in so many seconds. */
function look(inSeconds = 1): Promise<number> {
  return evaluateAlerts(server.services, new Date(Date.now() + inSeconds * 1000));
}

async function measure(rule: Omit<NewRule, "name" | "threshold">): Promise<number | null> {
  const { id } = await createAlertRule(ctx, { name: crypto.randomUUID(), threshold: 1e9, ...rule });
  await look();
  return (await readAlertRule(ctx, { id })).value;
}

async function insertTasks(count: number, columns: Record<string, unknown>): Promise<void> {
  const values = { queue: "q", status: "submitted", ...columns };
  const names = Object.keys(values);
  await server.database.query(
    `INSERT INTO task (workspace_id, id, context_id, title, created_by, ${names.join(", ")})
    SELECT $1::uuid, gen_random_uuid(), gen_random_uuid(), 'A task', '{}', ${names.map((_, nth) => `$${nth + 2}`).join(", ")}
    FROM generate_series(1, ${count})`,
    [ctx.workspaceId, ...Object.values(values)],
  );
}

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

async function readAlerts(): Promise<unknown[]> {
  return server.database.query(
    `SELECT type, subject_id, data FROM event WHERE workspace_id = $1 AND type IN ('alert.fired', 'alert.resolved')
    ORDER BY seq`,
    [ctx.workspaceId],
  );
}

describe("evaluateAlerts", () => {
  it("tells by events when a rule fires and is resolved, and writes what it read", async () => {
    const { id } = await createAlertRule(ctx, QUEUE);
    await insertTasks(2, {});
    expect(await look(1)).toBe(1);
    expect(await readAlerts()).toEqual([]);
    await insertTasks(1, {});
    expect(await look(2)).toBe(0);
    expect(await look(400)).toBe(1);
    expect(await readAlertRule(ctx, { id })).toMatchObject({ state: "firing", value: 3 });
    expect(await look(800)).toBe(1);
    await server.database.query("DELETE FROM task WHERE workspace_id = $1", [ctx.workspaceId]);
    expect(await look(1200)).toBe(1);
    const data = { name: QUEUE.name, metric: "queue_depth", threshold: 2 };
    expect(await readAlerts()).toEqual([
      { type: "alert.fired", subject_id: id, data: { ...data, value: 3 } },
      { type: "alert.resolved", subject_id: id, data: { ...data, value: 0 } },
    ]);
    expect(await readAlertRule(ctx, { id })).toMatchObject({ state: "resolved", value: 0 });
  });

  it("tells once, however many nodes look", async () => {
    for (let nth = 0; nth < 30; nth++) await createAlertRule(ctx, { ...QUEUE, name: `rule ${nth}` });
    await insertTasks(3, {});
    const counts = await Promise.all([look(), look(), look()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(30);
    expect(await readAlerts()).toHaveLength(30);
  });

  it("resolves a firing rule that is disabled, and looks at it no more", async () => {
    const { id } = await createAlertRule(ctx, QUEUE);
    await insertTasks(3, {});
    await look();
    const rule = await updateAlertRule(ctx, { id, enabled: false });
    expect(rule).toMatchObject({ state: "ok", value: null, generation: 2 });
    expect(await readAlerts()).toMatchObject([{ type: "alert.fired" }, { type: "alert.resolved" }]);
    expect(await look(1000)).toBe(0);
    await updateAlertRule(ctx, { id, enabled: true });
    expect(await look(1000)).toBe(1);
    await deleteAlertRule(ctx, { id });
    expect(await look(2000)).toBe(0);
  });

  it("resolves a firing rule that is deleted", async () => {
    const { id } = await createAlertRule(ctx, QUEUE);
    await insertTasks(3, {});
    await look();
    await deleteAlertRule(ctx, { id });
    expect(await readAlerts()).toMatchObject([
      { type: "alert.fired" },
      { type: "alert.resolved", subject_id: id, data: { name: QUEUE.name, value: null } },
    ]);
  });

  it("looks less often at what takes long to read", async () => {
    await createAlertRule(ctx, { ...QUEUE, name: "quick" });
    const cost = { metric: "cost_usd", windowSeconds: 3600, threshold: 1 } as const;
    await createAlertRule(ctx, { ...cost, name: "slow" });
    const costs = await lockTable(server.database, "usage_bucket");
    const looking = look();
    await costs.waiters(1);
    await costs.query("SELECT pg_sleep(0.5)");
    await costs.release();
    expect(await looking).toBe(2);
    const [quick, slow] = await server.database.query<{ rest: number }>(
      `SELECT EXTRACT(EPOCH FROM due_at - evaluated_at)::float8 AS rest FROM alert_rule WHERE workspace_id = $1 ORDER BY name`,
      [ctx.workspaceId],
    );
    expect(quick?.rest).toBeLessThan(slow?.rest ?? 0);
    expect(slow?.rest).toBeGreaterThan(100);
    expect(slow?.rest).toBeLessThanOrEqual(330);
  });

  it("does not look at suspended workspaces", async () => {
    await createAlertRule(ctx, QUEUE);
    await server.database.query("UPDATE workspace SET suspended_at = now() WHERE id = $1", [ctx.workspaceId]);
    expect(await look()).toBe(0);
  });
});

describe("the metric", () => {
  it("queue_depth counts waiting tasks of a queue", async () => {
    await insertTasks(3, {});
    await insertTasks(1, { queue: "other" });
    await insertTasks(1, { status: "completed" });
    expect(await measure({ metric: "queue_depth", watched: { queue: "q" } })).toBe(3);
  });

  it("queue_age is the age of the oldest waiting task, and 0 without one", async () => {
    expect(await measure({ metric: "queue_age" })).toBe(0);
    await insertTasks(1, { created_at: ago(100) });
    await insertTasks(1, { created_at: ago(500), queue: "other" });
    expect(await measure({ metric: "queue_age", watched: { queue: "q" } })).toBeCloseTo(101, -1);
    expect(await measure({ metric: "queue_age" })).toBeCloseTo(501, -1);
  });

  it("task_failure_rate is the share of the tasks that failed in the window, by queue, agent and label", async () => {
    const rate = { metric: "task_failure_rate", windowSeconds: 600 } as const;
    expect(await measure(rate)).toBeNull();
    const [one, other] = [await insertTestAgent(ctx), await insertTestAgent(ctx)];
    await ctx.db.agent.updateMany({ where: { id: one }, data: { labels: { team: "a" } } });
    const finished = { finished_at: ago(60), claimed_by_agent_id: one };
    await insertTasks(1, { ...finished, status: "failed" });
    await insertTasks(3, { ...finished, status: "completed", claimed_by_agent_id: other, queue: "other" });
    await insertTasks(5, { ...finished, status: "canceled" });
    await insertTasks(5, { ...finished, status: "failed", finished_at: ago(700) });
    expect(await measure(rate)).toBe(0.25);
    expect(await measure({ ...rate, watched: { queue: "q" } })).toBe(1);
    expect(await measure({ ...rate, watched: { agentId: other } })).toBe(0);
    expect(await measure({ ...rate, watched: { label: "team", labelValue: "a" } })).toBe(1);
    expect(await measure({ ...rate, watched: { label: "team", labelValue: "b" } })).toBeNull();
  });

  it("command_ack_p95 is how long agents take to acknowledge", async () => {
    const p95 = { metric: "command_ack_p95", windowSeconds: 600 } as const;
    const agentId = await insertTestAgent(ctx);
    expect(await measure(p95)).toBeNull();
    await createAgentCommand(ctx, agentId, { deliveredAt: ago(20), acknowledgedAt: ago(12) });
    await createAgentCommand(ctx, agentId, { deliveredAt: ago(20) });
    expect(await measure(p95)).toBeCloseTo(8, 1);
    expect(await measure({ ...p95, watched: { agentId: await insertTestAgent(ctx) } })).toBeNull();
  });

  it.each(["agents_offline", "robots_offline"] as const)("%s counts those that were here", async (metric) => {
    const kind = metric === "robots_offline" ? "robot" : "software";
    const [one] = [await insertTestAgent(ctx, kind), await insertTestAgent(ctx, kind)];
    await insertTestAgent(ctx, kind === "robot" ? "software" : "robot");
    expect(await measure({ metric })).toBe(0);
    const left = { presence: "offline", lastSeenAt: ago(1000) } as const;
    await ctx.db.agent.updateMany({ where: { id: one }, data: left });
    expect(await measure({ metric })).toBe(1);
    await ctx.db.agent.updateMany({ where: { id: one }, data: { archivedAt: new Date() } });
    expect(await measure({ metric })).toBe(0);
  });

  it.each([
    ["questions_waiting", "messages", "waiting"],
    ["approvals_waiting", "approvals", "pending"],
  ] as const)("%s is the kept total", async (metric, collection, facet) => {
    expect(await measure({ metric })).toBe(0);
    await server.database.query(
      "INSERT INTO collection_total (workspace_id, collection, facet, total) VALUES ($1, $2, $3, 7)",
      [ctx.workspaceId, collection, facet],
    );
    expect(await measure({ metric })).toBe(7);
  });

  it("cost_usd sums the hours of the window, of all or of one agent", async () => {
    const cost = { metric: "cost_usd", windowSeconds: 7200 } as const;
    expect(await measure(cost)).toBe(0);
    const agentId = await insertTestAgent(ctx);
    const insert = `INSERT INTO usage_bucket (workspace_id, dimension, period, key, start, slot, calls, input_tokens,
        cache_read_tokens, cache_write_tokens, output_tokens, cost_usd, unpriced_calls)
      SELECT $1, $2::usage_dimension, 'hour', $3, date_trunc('hour', now()) - $4::int * interval '1 hour', 0, 1, 0, 0, 0,
        0, $5::numeric, 0`;
    for (const [dimension, key, hour, usd] of [
      ["workspace", "", 0, "1.5"],
      ["workspace", "", 1, "2"],
      ["workspace", "", 2, "64"],
      ["agent", agentId, 0, "0.25"],
      ["agent", crypto.randomUUID(), 0, "8"],
    ]) {
      await server.database.query(insert, [ctx.workspaceId, dimension, key, hour, usd]);
    }
    expect(await measure(cost)).toBe(3.5);
    expect(await measure({ ...cost, watched: { agentId } })).toBe(0.25);
  });

  it.each(["question_age", "approval_age"] as const)("%s is 0 while nothing waits", async (metric) => {
    expect(await measure({ metric })).toBe(0);
  });
});
