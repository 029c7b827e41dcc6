import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALERT_METRICS } from "../../../src/domain/alerts/alert-metrics.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { foldTaskSums } from "../../../src/domain/task-sums/fold-task-sums.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { explainAsked } from "../../support/recorded-statements.ts";

const TASKS = 6000;
const EVERYTHING = { agentId: null, label: null, labelValue: null, queue: null };

let server: QuietServices;
let ctx: Ctx;
let agents: string[];

/** Over the last 20 hours, each task has its own queue but every hundredth, and each agent finished every sixth. */
beforeAll(async () => {
  server = await openQuietServices();
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
  agents = await Promise.all(Array.from({ length: 6 }, () => insertTestAgent(ctx)));
  await ctx.db.agent.updateMany({ where: { id: agents[0] ?? "" }, data: { labels: { team: "a" } } });
  await server.database.query(
    `INSERT INTO task (workspace_id, id, context_id, title, created_by, queue, status, created_at, finished_at, claimed_by_agent_id)
    SELECT $1::uuid, gen_random_uuid(), gen_random_uuid(), 'A task', '{}', CASE n % 100 WHEN 0 THEN 'q' ELSE 'q-' || n END,
      (CASE n % 600 WHEN 0 THEN 'failed' ELSE 'completed' END)::task_status, at, at, ($2::uuid[])[n % 6 + 1]
    FROM (SELECT n, now() - n * interval '12 seconds' AS at FROM generate_series(1, ${TASKS}) n) n`,
    [ctx.workspaceId, agents],
  );
  while ((await foldTaskSums(server.services)) > 0);
  await server.database.query("ANALYZE task_sum; ANALYZE task");
});

afterAll(() => server.close());

describe("the rate of failure of one queue", () => {
  it.each([
    ["all agents", {}, 10 / 60],
    ["one agent", { agentId: "first" }, 10 / 20],
    ["agents with a label", { label: "team", labelValue: "a" }, 10 / 20],
  ])("costs the same however many others have tasks: of %s", async (...[, of, rate]) => {
    const agentId = "agentId" in of ? (agents[0] ?? null) : null;
    const rule = { ...EVERYTHING, ...of, workspaceId: ctx.workspaceId, agentId };
    const [statement, values] = ALERT_METRICS.task_failure_rate.read({
      ...rule,
      ...{ queue: "q", windowSeconds: 86_400 },
    });
    expect(await ctx.run(statement, values)).toEqual([{ value: rate }]);
    for (const mode of ["custom", "generic"] as const) {
      const nodes = await explainAsked(server.database, { statement, values }, mode);
      const read = nodes.map((node) => (node["Rows Removed by Filter"] ?? 0) * node["Actual Loops"]);
      expect(read.reduce((sum, count) => sum + count)).toBeLessThan(200);
    }
  });
});
