import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { explainDecision } from "../../../src/domain/decisions/explain-decision.ts";
import { rememberCounters } from "../../../src/domain/gateway-checks/agent-counters.ts";
import type { Run } from "../../../src/db/sql.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { NO_COUNTERS } from "../../../src/domain/policies/evaluation-request.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import type { PolicyRuleInput } from "../../../src/domain/policies/policy-rule.ts";
import { simulatePolicies } from "../../../src/domain/policies/simulate-policies.ts";
import { testPolicies } from "../../../src/domain/policies/test-policies.ts";
import { validatePolicy } from "../../../src/domain/policies/validate-policy.ts";
import { ALLOW, check, createGatewayScene, refund } from "../../support/gateway-scene.ts";
import { PATIENCE } from "../../support/patience.ts";
import type { TestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const WHEN = "counters.calls_last_minute >= 3";
const MANY: PolicyRuleInput = { name: "many calls", effect: "deny", actions: ["*"], when: WHEN };

let world: TestWorld;
let ctx: Ctx;
let agent: TestClient;
let agentId: string;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  ({ ctx, agent, agentId } = await createGatewayScene(world));
});

/** Counts decisions of a time. */
async function log(count: number, at: Date, outcome: "allow" | "deny"): Promise<void> {
  const fields = { workspaceId: ctx.workspaceId, agentId, outcome };
  await world.server.database.query(
    `INSERT INTO decision_sum (workspace_id, agent_id, seconds, at, action, outcome, would, count)
     VALUES ($1, $2, 60, date_trunc('minute', $3::timestamptz), 'x', $4::decision_outcome, $4::decision_outcome, $5)`,
    [fields.workspaceId, fields.agentId, at, fields.outcome, count],
  );
}

/** Books what calls of an agent used on a day, in one of its slots. */
async function book(
  agent: string,
  { day, slot, costUsd, tokens }: { day: string; slot: number; costUsd: string; tokens: number },
): Promise<void> {
  await world.server.database.query(
    `INSERT INTO usage_bucket (workspace_id, dimension, period, key, start, slot, calls, input_tokens,
       cache_read_tokens, cache_write_tokens, output_tokens, cost_usd, unpriced_calls)
     VALUES ($1, 'agent', 'day', $2, $3, $4, 1, $5, 7, 7, 1, $6, 0)`,
    [ctx.workspaceId, agent, `${day}T00:00:00Z`, slot, tokens, costUsd],
  );
}

describe("counters", () => {
  it("are the checks of the last minute and the denials of the last hour, of the agent alone", async () => {
    const now = new Date("2026-06-01T12:34:15Z");
    const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);
    await log(5, now, "allow");
    await log(2, now, "deny");
    // Three quarters of this minute are within the last 60 seconds.
    await log(10, before(60), "allow");
    await log(100, before(120), "allow");
    await log(7, before(3000), "deny");
    await log(50, before(3660), "deny");
    const other = await createGatewayScene(world);
    const counters = rememberCounters();
    expect(await counters.get(ctx.workspaceId, agentId, readAt(now))).toEqual({
      ...NO_COUNTERS,
      ...{ callsLastMinute: 5 + 2 + 8, denialsLastHour: 2 + 7 },
    });
    expect(await counters.get(other.ctx.workspaceId, other.agentId, ctx.read)).toEqual(NO_COUNTERS);
  });

  it("are the tokens and the cost of today in UTC, rounded up, of the agent alone", async () => {
    await book(agentId, { day: "2026-06-01", slot: 0, costUsd: "0.0000011", tokens: 100 });
    await book(agentId, { day: "2026-06-01", slot: 7, costUsd: "2", tokens: 50 });
    await book(agentId, { day: "2026-05-31", slot: 0, costUsd: "9", tokens: 1000 });
    await book(crypto.randomUUID(), { day: "2026-06-01", slot: 0, costUsd: "9", tokens: 1000 });
    const counters = rememberCounters();
    const now = new Date("2026-06-01T23:59:59.999Z");
    expect(await counters.get(ctx.workspaceId, agentId, readAt(now))).toEqual({
      ...NO_COUNTERS,
      ...{ costTodayMicroUsd: 2_000_002, tokensToday: 152 },
    });
  });

  it("deny an agent that has spent too much", async () => {
    await createPolicy(ctx, ALLOW);
    await createPolicy(ctx, { ...MANY, when: "counters.cost_today_microusd > 5000000" });
    expect((await check(agent, refund({}))).status).toBe("allowed");
    // Tomorrow too, which may begin meanwhile.
    for (const at of [Date.now(), Date.now() + 86_400_000]) {
      const day = new Date(at).toISOString().slice(0, 10);
      await book(agentId, { day, slot: 1, costUsd: "5.000001", tokens: 1 });
    }
    await expect.poll(async () => (await check(agent, refund({}))).status, PATIENCE).toBe("denied");
  });

  it("deny an agent that calls too often, and are part of the explanation", async () => {
    await createPolicy(ctx, ALLOW);
    await createPolicy(ctx, MANY);
    for (const _ of [1, 2, 3]) await check(agent, refund({}));
    await expect.poll(async () => (await check(agent, refund({}))).status, PATIENCE).toBe("denied");
    const { id } = await check(agent, refund({}));
    const explanation = await explainDecision(ctx, { id });
    expect(explanation).toMatchObject({ outcome: "deny", reason: "policy_deny", gaps: [] });
    const conditions = explanation.steps.flatMap((step) => (step.step === "policies" ? step.policies : []));
    expect(conditions[0]).toMatchObject({ name: MANY.name, conditions: [{ text: WHEN, result: true }] });
    await world.server.database.query(
      "UPDATE decision SET entities = entities #- '{counters,tokensToday}' #- '{counters,costTodayMicroUsd}' WHERE id = $1",
      [id],
    );
    expect(await explainDecision(ctx, { id })).toEqual(explanation);
    const tested = await testPolicies(ctx, { requestText: JSON.stringify(refund({})), agentId });
    expect(tested).toMatchObject({ outcome: "deny", reason: "policy_deny" });
    const day = 86_400_000;
    const simulated = await simulatePolicies(ctx, {
      ...{ from: new Date(Date.now() - day), to: new Date(Date.now() + day) },
      changes: { rules: [{ ...MANY, when: "counters.calls_last_minute >= 1000" }], removed: [] },
    });
    expect(simulated).toMatchObject({ unknown: 0, changes: [{ before: "deny", after: "allow" }] });
  });

  it("are known to the check of conditions", () => {
    const problems = (when: string) => validatePolicy(ctx, { ...MANY, when }).errors;
    expect(problems("counters.denials_last_hour > 5 && counters.calls_last_minute < 60")).toEqual([]);
    expect(problems("counters.calls > 5")).toHaveLength(1);
    expect(problems('counters.calls_last_minute > "5"')).toHaveLength(1);
  });
});

/** Reads as if it were this time. */
function readAt(now: Date): Run {
  return (statement, values) => world.server.services.database.run(statement, [...values, now]);
}
