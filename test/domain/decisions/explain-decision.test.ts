import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { explainDecision } from "../../../src/domain/decisions/explain-decision.ts";
import type { Explanation, PolicyExplanation } from "../../../src/domain/decisions/explanation.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { combineParts } from "../../../src/domain/policies/condition/condition-parts.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { deletePolicy } from "../../../src/domain/policies/delete-policy.ts";
import type { PolicyRuleInput } from "../../../src/domain/policies/policy-rule.ts";
import { testPolicies } from "../../../src/domain/policies/test-policies.ts";
import { updatePolicy } from "../../../src/domain/policies/update-policy.ts";
import { ALLOW, ASK, check, createGatewayScene, refund } from "../../support/gateway-scene.ts";
import { runs } from "../../support/property-runs.ts";
import type { TestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

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

/** Permissions are stored soon after the answer. */
async function explain(id: string): Promise<Explanation> {
  await expect.poll(() => ctx.db.decision.count({ where: { id } })).toBe(1);
  return explainDecision(ctx, { id });
}

function getPolicies({ steps }: Explanation): PolicyExplanation[] {
  return steps.flatMap((step) => (step.step === "policies" ? step.policies : []));
}

function listConditions(explanation: Explanation): string[] {
  return getPolicies(explanation).flatMap(({ conditions }) =>
    conditions.map(({ text, result }) => `${text}: ${typeof result === "object" ? "error" : result}`),
  );
}

describe("explainDecision", () => {
  it("says which policies were considered, and what each condition was", async () => {
    await createPolicy(ctx, ALLOW);
    const asking = await createPolicy(ctx, ASK);
    await createPolicy(ctx, { ...ALLOW, name: "elsewhere", resources: [{ type: "tool", name: "x" }] });
    const { id } = await check(agent, refund({ amount: 100 }));
    const explanation = await explain(id);
    expect(explanation).toMatchObject({
      ...{ outcome: "allow", reason: "policy_allow", gaps: [] },
      request: refund({ amount: 100 }),
      steps: [
        { step: "stop", decided: false },
        {
          ...{ step: "policies", decided: true, considered: 2, of: 3 },
          policies: [
            { name: "tools", effect: "allow", result: true, decided: true, conditions: [] },
            { id: asking.id, generation: 1, effect: "ask", mode: "enforce", result: false, decided: false },
          ],
        },
      ],
    });
    expect(listConditions(explanation)).toEqual(["has(args.amount): true", "args.amount > 500: false"]);
    expect(
      await testPolicies(ctx, { requestText: JSON.stringify(refund({ amount: 100 })), agentId }),
    ).toEqual({
      ...explanation,
      request: {
        ...refund({ amount: 100 }),
        action: expect.anything(),
        resource: expect.anything(),
        context: {},
      },
    });
  });

  it("explains by the policies and labels of then", async () => {
    const rule: PolicyRuleInput = { ...ASK, when: 'agent.labels.team == "a" && environment == "prod"' };
    const policy = await createPolicy(ctx, rule);
    await setLabels({ team: "a", env: "prod" });
    const { id } = await check(agent, refund());
    await updatePolicy(ctx, { id: policy.id }, { ...rule, when: "false" });
    await setLabels({});
    const conditions = ['agent.labels.team == "a": true', 'environment == "prod": true'];
    expect(listConditions(await explain(id))).toEqual(conditions);
    await deletePolicy(ctx, { id: policy.id });
    expect(listConditions(await explain(id))).toEqual(conditions);
    expect((await explain(id)).steps.at(-1)).toMatchObject({ step: "approval", approval: { persons: 1 } });
  });

  it("guesses nothing about what was removed", async () => {
    const when = 'args.amount > 1 && args.token == "x" && (args.amount > 5 || args.token == "x")';
    const policy = await createPolicy(ctx, { ...ASK, effect: "deny", when });
    const { id } = await check(agent, refund({ amount: 2, token: "x" }));
    const explanation = await explain(id);
    expect(listConditions(explanation)).toEqual([
      "args.amount > 1: true",
      'args.token == "x": unknown',
      '(args.amount > 5 || args.token == "x"): unknown',
      "args.amount > 5: false",
      'args.token == "x": unknown',
    ]);
    expect(getPolicies(explanation)).toMatchObject([{ result: true, decided: true }]);
    const large = await check(agent, refund({ amount: 2, token: "x", text: "x".repeat(20_000) }));
    expect(await explain(large.id)).toMatchObject({
      ...{ request: null, gaps: ["The request was too large to be stored."] },
    });
    expect((await explain(large.id)).steps).toMatchObject([{}, { policies: [{ result: true }] }]);
    await ctx.db.policyVersion.deleteMany();
    expect(await explain(id)).toMatchObject({
      gaps: [`Generation 1 of the policy ${policy.name} is not known.`],
    });
  });

  it("says what stopped the agent before any policy was asked", async () => {
    await createPolicy(ctx, ALLOW);
    await ctx.db.agent.updateMany({ data: { controlState: "paused" } });
    const { id } = await check(agent, refund());
    expect(await explain(id)).toMatchObject({
      ...{ outcome: "deny", reason: "agent_paused", generation: null },
      steps: [{ step: "stop", decided: true }],
    });
  });

  it("names the policy that needs the arguments", async () => {
    await createPolicy(ctx, ASK);
    const { id } = await check(agent, { ...refund(), action: { name: "tools/call" } });
    const explanation = await explain(id);
    expect(getPolicies(explanation)).toMatchObject([
      { name: ASK.name, decided: true, result: { code: "arguments_missing" } },
    ]);
  });

  it("agrees with the outcome", async () => {
    const test = fc.constantFrom(
      ...["has(args.amount)", "args.amount > 500", "args.list.exists(x, x > 2)", 'args.text.contains("a")'],
      ...['agent.labels.team == "a"', "request.known == true", "args.secret == 5"],
    );
    const when = fc
      .array(fc.tuple(test, fc.constantFrom("&&", "||")), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.map(([text, join], index) => (index === 0 ? text : `${join} ${text}`)).join(" "));
    const rule = fc.record({
      effect: fc.constantFrom("allow" as const, "deny" as const, "ask" as const),
      mode: fc.constantFrom("enforce" as const, "enforce" as const, "monitor" as const),
      when: fc.option(when, { nil: null }),
    });
    const args = fc.record(
      {
        amount: fc.constantFrom(100, 900, "900"),
        list: fc.array(fc.integer({ min: 0, max: 5 })),
        text: fc.constantFrom("a", "b"),
        secret: fc.constant(5),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(rule, { maxLength: 5 }),
        fc.array(args, { minLength: 3, maxLength: 3 }),
        async (rules, all) => {
          ({ ctx, agent, agentId } = await createGatewayScene(world));
          await setLabels({ team: "a" });
          for (const [n, one] of rules.entries()) {
            await createPolicy(ctx, { ...one, name: `policy ${n}`, actions: ["tools/call"] });
          }
          for (const one of all) {
            const request = refund(one, { context: { known: true } });
            const { id, reason } = await check(agent, request);
            const stored = await explain(id);
            expect(stored.reason).toBe(reason);
            const tested = await testPolicies(ctx, { requestText: JSON.stringify(request), agentId });
            for (const explanation of [stored, tested]) requireAgreement(explanation);
            expect(tested).toMatchObject({ outcome: stored.outcome, reason, gaps: stored.gaps });
          }
        },
      ),
      { numRuns: runs(12) },
    );
  });
});

/** The outcome is what the parts of the conditions make of it. */
function requireAgreement(explanation: Explanation): void {
  const policies = getPolicies(explanation);
  const [errors, denies, asks, allows] = [
    policies.filter(({ effect, result }) => effect !== "allow" && typeof result === "object"),
    ...(["deny", "ask", "allow"] as const).map((wanted) =>
      policies.filter(({ effect, result }) => effect === wanted && result === true),
    ),
  ].map((found) => found.filter(({ mode }) => mode === "enforce"));
  for (const { conditions, result } of policies) {
    const combined = combineParts(conditions);
    if (combined !== "unknown") expect(typeof combined).toBe(typeof result);
    if (typeof combined === "boolean") expect(combined).toBe(result);
  }
  const [outcome, deciding] = errors?.length
    ? ["deny", errors]
    : denies?.length
      ? ["deny", denies]
      : asks?.length
        ? ["ask", asks]
        : [allows?.length ? "allow" : "deny", allows];
  expect(explanation.outcome).toBe(outcome);
  expect(policies.filter(({ decided }) => decided)).toEqual(deciding);
}

async function setLabels(labels: Record<string, string>): Promise<void> {
  await ctx.db.agent.updateMany({ where: { id: agentId }, data: { labels } });
}
