import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertTestAgent, insertTestEvalRun } from "../../support/factories.ts";
import { describeGuard } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const RUNS = "/api/v1/operator/eval_runs";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describeGuard({ path: RUNS, scope: "eval_runs:read" }, () => world);

describe("GET /api/v1/operator/eval_runs", () => {
  it("returns all fields of a run", async () => {
    const { agent, ctx } = await world.another();
    const baseline = await insertTestEvalRun(ctx, { createdAt: new Date("2100-11-20T00:00:00Z") });
    const agentId = await insertTestAgent(ctx);
    const id = await insertTestEvalRun(ctx, {
      agentId,
      agentVersion: "1.2.3",
      dataset: { name: "orders", size: 3 },
      status: "completed",
      resultCounts: { total: 3, passed: 2, failed: 1, errored: 0 },
      verdict: "failed",
      verdictReasons: ["pass rate 0.67 below 0.9"],
      baselineRunId: baseline,
      costUsd: 0.25,
      metadata: { commit: "abc" },
      createdAt: new Date("2100-11-21T10:00:45.678Z"),
      finishedAt: new Date("2100-11-21T10:01:00Z"),
    });
    const { status, body } = await agent.get(RUNS);
    expect(status).toBe(200);
    expect(body.pagination).toEqual({ limit: 50, offset: 0, total: 2, has_more: false, next_offset: null });
    expect(body.eval_runs.map((run: { id: string }) => run.id)).toEqual([id, baseline]);
    expect(body.eval_runs[0]).toMatchObject({
      suite: "smoke",
      name: "Nightly",
      agent_id: agentId,
      agent_version: "1.2.3",
      dataset: { name: "orders", size: 3 },
      status: "completed",
      result_counts: { total: 3, passed: 2, failed: 1, errored: 0 },
      verdict: "failed",
      verdict_reasons: ["pass rate 0.67 below 0.9"],
      baseline_run_id: baseline,
      is_baseline: false,
      cost_usd: 0.25,
      metadata: { commit: "abc" },
      created_by: { type: "system", id: null, name: "test" },
      generation: 1,
      created_at: "2100-11-21T10:00:45.678Z",
      started_at: null,
      finished_at: "2100-11-21T10:01:00.000Z",
    });
  });
});
