import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EvaluationRequest } from "../../../src/domain/policies/evaluation-request.ts";
import { indexPolicies, isBroad } from "../../../src/domain/policies/policy-index.ts";
import type { PolicyRuleInput } from "../../../src/domain/policies/policy-rule.ts";
import { requests, scopes } from "../../support/arbitrary-policies.ts";
import { compileRule, createEntityAgent, createRequest } from "../../support/policies.ts";
import { runAll } from "../../support/run-all.ts";

function isInScope(rule: Partial<PolicyRuleInput>, request: EvaluationRequest): boolean {
  return compileRule(rule).isInScope(request);
}

const person = { agent: null, type: "user", id: "ada", role: "operator" as const };
const robot = createEntityAgent({ handle: "amr-1", kind: "robot", labels: { site: "north", tier: "" } });

describe("the scope of a policy", () => {
  it.each([
    ["all subjects and resources", {}, {}, true],
    ["an action", { actions: ["tools/call"] }, {}, true],
    ["another action", { actions: ["tools/list"] }, {}, false],
    ["any of its actions", { actions: ["tools/list", "tools/*"] }, {}, true],
    ["commands, of none", { actions: ["commands"] }, {}, false],
    ["commands", { actions: ["commands"] }, { action: { name: "robot.dock", isCommand: true } }, true],
    ["an agent by its handle", { subjects: [{ type: "agent", name: "billing-*" }] }, {}, true],
    ["an agent, but not by its id", { subjects: [{ type: "agent", name: "agent-1" }] }, {}, false],
    ["an agent of another kind", { subjects: [{ type: "agent", kind: "robot" }] }, {}, false],
    [
      "an agent's label",
      { subjects: [{ type: "agent", labels: { site: "n*" } }] },
      { subject: { agent: robot } },
      true,
    ],
    [
      "a label that is present",
      { subjects: [{ type: "agent", labels: { tier: "*" } }] },
      { subject: { agent: robot } },
      true,
    ],
    [
      "a label that is absent",
      { subjects: [{ type: "agent", labels: { team: "*" } }] },
      { subject: { agent: robot } },
      false,
    ],
    [
      "one label of two",
      { subjects: [{ type: "agent", labels: { site: "north", team: "x" } }] },
      { subject: { agent: robot } },
      false,
    ],
    [
      "a label named constructor",
      { subjects: [{ type: "agent", labels: { constructor: "*" } }] },
      { subject: { agent: robot } },
      false,
    ],
    ["any of its subjects", { subjects: [{ type: "member", role: "admin" }, { type: "agent" }] }, {}, true],
    ["people with a role", { subjects: [{ type: "member", role: "operator" }] }, { subject: person }, true],
    [
      "people with a higher role",
      { subjects: [{ type: "member", role: "admin" }] },
      { subject: person },
      false,
    ],
    [
      "people who are not of the workspace",
      { subjects: [{ type: "member", role: "viewer" }] },
      { subject: { ...person, role: null } },
      false,
    ],
    [
      "foreign subjects",
      { subjects: [{ type: "user", name: "a*" }] },
      { subject: { ...person, role: null } },
      true,
    ],
    ["a tool", { resources: [{ type: "tool", name: "stripe.refund*" }] }, {}, true],
    ["another tool", { resources: [{ type: "tool", name: "stripe.pay" }] }, {}, false],
    ["a tool's server", { resources: [{ type: "tool", server: "stripe" }] }, {}, true],
    ["a part of a tool's server", { resources: [{ type: "tool", server: "str" }] }, {}, false],
    [
      "a tool without a server",
      { resources: [{ type: "tool", server: "deploy" }] },
      { resource: { id: "deploy" } },
      true,
    ],
    ["another type of resource", { resources: [{ type: "record" }] }, {}, false],
    [
      "an agent as resource",
      { resources: [{ type: "agent", kind: "robot", name: "amr-*" }] },
      { resource: { type: "agent", id: "x", agent: robot } },
      true,
    ],
    [
      "a foreign resource of an agent's name",
      { resources: [{ type: "agent" }] },
      { resource: { type: "agent", id: "amr-1" } },
      false,
    ],
  ] as const)("means %s", (...[, rule, request, expected]) => {
    expect(isInScope(rule as unknown as Partial<PolicyRuleInput>, createRequest(request))).toBe(expected);
  });
});

describe("the index of policies", () => {
  it("leaves out no policy whose scope a request is in, and gives none twice", () => {
    const anyRules = fc.array(scopes, { maxLength: 30 });
    fc.assert(
      fc.property(anyRules, requests, (given, request) => {
        const policies = given.map(compileRule);
        const found = runAll(indexPolicies(policies, ({ rule }) => rule)).find(request);
        expect(found.length).toBe(new Set(found).size);
        const inScope = (policy: (typeof policies)[number]) => policy.isInScope(request);
        expect(new Set(found.filter(inScope))).toEqual(new Set(policies.filter(inScope)));
      }),
    );
  });

  it("is built in a step for each policy, so that others have turns", () => {
    const policies = Array.from({ length: 100 }, () => compileRule());
    expect([...indexPolicies(policies, ({ rule }) => rule)]).toHaveLength(100);
  });

  it("finds few of many", () => {
    const policies = Array.from({ length: 1000 }, (_, n) => {
      const [subjects, resources] = [
        [{ type: "agent", name: `agent-${n}*` }],
        [{ type: "tool", name: `t${n}.*` }],
      ];
      return compileRule(n % 2 === 0 ? { subjects } : { resources });
    });
    const { find } = runAll(indexPolicies(policies, ({ rule }) => rule));
    const agent = createEntityAgent({ handle: "agent-12" });
    const request = createRequest({ subject: { agent }, resource: { id: "t77.x" } });
    // agent-12* and t77.*. Those for agent-1* are of odd numbers, which go by their tools.
    expect(find(request)).toHaveLength(2);
  });

  it.each([
    [{ resources: [{ type: "tool", name: "a*" }] }, false],
    [{ resources: [{ type: "tool", server: "a" }] }, false],
    [{ subjects: [{ type: "agent", name: "a" }] }, false],
    [{ resources: [{ type: "tool", name: "*a" }], subjects: [{ type: "agent", name: "a" }] }, false],
    [{ actions: ["tools/call"] }, true],
    [{ subjects: [{ type: "member", role: "admin" }] }, true],
    [{ subjects: [{ type: "agent", labels: { a: "b" } }] }, true],
    [{}, true],
  ] as const)("knows that a policy for most requests is broad: %j", (rule, expected) => {
    expect(isBroad(compileRule(rule as unknown as Partial<PolicyRuleInput>).rule)).toBe(expected);
  });
});
