import { describe, expect, it } from "vitest";
import type { GateState } from "../../../src/domain/gateway-checks/gate-state.ts";
import { indexPolicies } from "../../../src/domain/policies/policy-index.ts";
import { simulateDecision } from "../../../src/domain/policies/simulate-decision.ts";
import { compileRule } from "../../support/policies.ts";
import { runAll } from "../../support/run-all.ts";

const ROW = {
  ...{ id: crypto.randomUUID(), agentId: crypto.randomUUID(), createdAt: new Date(), gateGeneration: 1 },
  ...{ action: "tools/call", resourceType: "tool", resourceId: "a.b", subject: null, counters: null },
  request: {
    action: { name: "tools/call", properties: { arguments: {} } },
    ...{ resource: { type: "tool", id: "a.b", properties: {} }, context: {} },
  },
};

const STATE: GateState = {
  ...{ generation: 1, budgetGeneration: 0, agents: [], entities: [], taskIds: [] },
  fallback: "deny",
  log: { mode: "all", durability: "strict" },
};

describe("simulateDecision", () => {
  it("works in steps, and compiles the conditions of 500 policies at most", () => {
    const policies = Array.from({ length: 500 }, (_, n) =>
      compileRule({ name: `policy ${n}`, when: `has(args.p${n})` }),
    );
    const last = { ...compileRule({ when: "true" }), getCondition: () => expect.fail("compiled") };
    const { find } = runAll(indexPolicies(policies, ({ rule }) => rule));
    const index = { find: (request: Parameters<typeof find>[0]) => [...find(request), last] };
    const simulated = { before: { index }, after: { index }, replaced: new Set(["policy 0"]) };
    const steps = simulateDecision(ROW, simulated, STATE);
    let count = 0;
    for (let step = steps.next(); step.done !== true; step = steps.next()) count++;
    expect(count).toBeGreaterThan(1000);
  });
});
