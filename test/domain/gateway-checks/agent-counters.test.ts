import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { explainDecision } from "../../../src/domain/decisions/explain-decision.ts";
import { rememberCounters } from "../../../src/domain/gateway-checks/agent-counters.ts";
import type { Run } from "../../../src/db/sql.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
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
      ...{ callsLastMinute: 5 + 2 + 8, denialsLastHour: 2 + 7 },
    });
    expect(await counters.get(other.ctx.workspaceId, other.agentId, ctx.read)).toEqual({
      callsLastMinute: 0,
      denialsLastHour: 0,
    });
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
