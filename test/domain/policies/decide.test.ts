import { describe, expect, it } from "vitest";
import { createConditionValues } from "../../../src/domain/policies/condition/condition-values.ts";
import { decide } from "../../../src/domain/policies/decide.ts";
import { indexPolicies } from "../../../src/domain/policies/policy-index.ts";
import { selectPolicies } from "../../../src/domain/gateway-checks/select-policies.ts";
import type { PolicyRuleInput } from "../../../src/domain/policies/policy-rule.ts";
import { compileRule, createRequest } from "../../support/policies.ts";
import { runAll } from "../../support/run-all.ts";

type Rule = Partial<PolicyRuleInput>;

const NOW = new Date("2026-11-22T10:30:00Z");

const NO_ARGUMENTS = Symbol("no arguments");

function decideBy(rules: Rule[], args: unknown = { amount: 900 }, fallback: "allow" | "deny" = "deny") {
  const properties = args === NO_ARGUMENTS ? {} : { arguments: args };
  const request = createRequest({ action: { properties } });
  const policies = rules.map((rule, n) => compileRule({ name: `policy ${n}`, ...rule }));
  const { decidedBy, ...verdict } = runAll(decide(policies, createConditionValues(request, NOW), fallback));
  return { ...verdict, decidedBy: decidedBy.map(({ name }) => name) };
}

const allow: Rule = { effect: "allow" };
const deny: Rule = { effect: "deny" };
const ask: Rule = { effect: "ask" };
const met = { when: "has(args.amount) && args.amount > 500" };
const unmet = { when: "has(args.amount) && args.amount > 5000" };
const erring = { when: "args.missing > 5" };
const monitor = { mode: "monitor" as const };

describe("decide", () => {
  it.each([
    ["nothing", [], "deny", "default_deny", []],
    ["an allow", [allow], "allow", "policy_allow", [0]],
    ["an allow that is not met", [{ ...allow, ...unmet }], "deny", "default_deny", []],
    ["an allow that errs", [{ ...allow, ...erring }], "deny", "default_deny", []],
    ["a deny beside an allow", [allow, { ...deny, ...met }], "deny", "policy_deny", [1]],
    ["a deny that is not met", [allow, { ...deny, ...unmet }], "allow", "policy_allow", [0]],
    ["an ask beside allows", [allow, { ...ask, ...met }, allow], "ask", "approval_required", [1]],
    ["a deny beside an ask", [ask, deny], "deny", "policy_deny", [1]],
    ["a deny that errs", [allow, { ...deny, ...erring }], "deny", "policy_error", [1]],
    ["an ask that errs", [allow, { ...ask, ...erring }], "deny", "policy_error", [1]],
    ["an error beside a deny", [deny, { ...ask, ...erring }], "deny", "policy_error", [1]],
    ["a monitored deny", [allow, { ...deny, ...monitor }], "allow", "policy_allow", [0]],
    ["a monitored allow", [{ ...allow, ...monitor }], "deny", "default_deny", []],
    ["a monitored deny that errs", [allow, { ...deny, ...erring, ...monitor }], "allow", "policy_allow", [0]],
  ] as const)("by %s", (...[, rules, outcome, reason, decidedBy]) => {
    const names = decidedBy.map((n) => `policy ${n}`);
    expect(decideBy([...rules])).toMatchObject({ outcome, reason, decidedBy: names });
  });

  it.each(["text", ["a"], null, 5])("denies where what a guarded deny looks into is %j", (to) => {
    const guarded = { ...deny, when: 'has(args.to.country) && args.to.country == "X"' };
    expect(decideBy([allow, guarded], { to })).toMatchObject({ outcome: "deny", reason: "policy_error" });
    expect(decideBy([allow, guarded], { to: {} })).toMatchObject({ outcome: "allow" });
    expect(decideBy([allow, guarded], { to: { country: "X" } })).toMatchObject({ reason: "policy_deny" });
  });

  it("falls back on what the workspace says", () => {
    expect(decideBy([], {}, "allow")).toMatchObject({ outcome: "allow", reason: "default_allow" });
    expect(decideBy([deny], {}, "allow")).toMatchObject({ outcome: "deny", reason: "policy_deny" });
  });

  it.each([
    ["deny", [allow, { ...deny, ...monitor }]],
    ["ask", [allow, { ...ask, ...monitor }]],
    ["allow", [{ ...allow, ...monitor }]],
    [null, [allow, { ...deny, ...monitor, ...unmet }]],
    [null, [deny, { ...allow, ...monitor }]],
  ] as const)("says that monitored policies would %s", (would, rules) => {
    expect(decideBy([...rules]).would).toBe(would);
  });

  it.each([
    ["900", "deny", "policy_error"],
    [null, "deny", "policy_error"],
    [9e2, "deny", "policy_deny"],
    [900.0, "deny", "policy_deny"],
    [500, "allow", "policy_allow"],
  ])("a deny above 500 with the amount %j", (amount, outcome, reason) => {
    expect(decideBy([allow, { ...deny, ...met }], { amount })).toMatchObject({ outcome, reason });
  });

  it("denies a call without arguments where a deny or ask reads them", () => {
    expect(decideBy([allow, { ...deny, ...met }], NO_ARGUMENTS)).toMatchObject({
      ...{ outcome: "deny", reason: "arguments_missing", decidedBy: ["policy 1"] },
    });
    for (const args of [null, '{"amount":900}', [{ amount: 900 }], 900]) {
      expect(decideBy([allow, { ...deny, ...met }], args)).toMatchObject({ reason: "arguments_missing" });
    }
    const indexed = { when: '"amount" in action["properties"]' };
    expect(decideBy([allow, { ...deny, ...indexed }], NO_ARGUMENTS)).toMatchObject({
      reason: "arguments_missing",
    });
    expect(decideBy([allow, { ...deny, ...met }], {})).toMatchObject({ outcome: "allow" });
    expect(decideBy([{ ...allow, when: "!has(args.amount)" }], NO_ARGUMENTS)).toMatchObject({
      outcome: "allow",
    });
  });

  it("denies a call with more than 1,024 elements where a deny or ask looks at them", () => {
    const each = { when: "has(args.list) && args.list.exists(x, x == 1)" };
    const list = Array.from({ length: 1022 }, () => 0);
    expect(decideBy([allow, { ...deny, ...each }], { list })).toMatchObject({ outcome: "allow" });
    expect(decideBy([allow, { ...deny, ...each }], { list: [...list, 0] })).toMatchObject({
      ...{ outcome: "deny", reason: "request_unusable" },
    });
    expect(decideBy([{ ...allow, when: "!has(args.x)" }], { list: [...list, 0] })).toMatchObject({
      outcome: "allow",
    });
  });

  it("evaluates no more than a request may cost: what is left out grants nothing, and denies", () => {
    const costly = { when: `has(args.list) && ${"args.list.exists(x, x == 1) || ".repeat(4)}false` };
    const list = Array.from({ length: 1020 }, () => 0);
    const many = Array.from({ length: 60 }, () => ({ ...deny, ...costly }));
    expect(decideBy([allow, ...many.slice(0, 1)], { list })).toMatchObject({ outcome: "allow" });
    expect(decideBy([allow, ...many], { list })).toMatchObject({ outcome: "deny", reason: "policy_error" });
  });

  it.each([
    [`${"args.a == args.b && ".repeat(4)}true`, { a: Array(60_000).fill(1), b: Array(60_000).fill(1) }],
    [`args.a.contains("${"a".repeat(1000)}b${"a".repeat(1000)}")`, { a: "a".repeat(200_000) }],
    ["args.a.contains(args.b)", { a: "a".repeat(100_000), b: "a".repeat(50_000) }],
    ["args.a.exists(x, x.b == 1 || x.c == 1)", { a: Array.from({ length: 9000 }, () => ({})) }],
    [`${"double(args.a) > 1.0 || ".repeat(30)}true`, { a: "9".repeat(200_000) }],
  ])("an allow grants nothing where it would cost too much: %s", (when, args) => {
    const values = createConditionValues(createRequest({ action: { properties: { arguments: args } } }), NOW);
    const { results } = runAll(decide([compileRule({ when })], values, "deny"));
    expect(results).toMatchObject([{ result: { code: "too_complex" } }]);
  });

  it("compares a list's objects with a large one in linear time", () => {
    const large = Object.fromEntries(Array.from({ length: 12_000 }, (_, n) => [`k${n}`, n]));
    const args = { list: Array.from({ length: 12_000 }, () => ({})), large };
    const request = createRequest({ action: { properties: { arguments: args } } });
    const condition = compileRule({ when: "args.list.all(x, x != args.large)" }).getCondition();
    if (condition === null || condition === "invalid") throw new Error("not compiled");
    expect(condition.evaluate(createConditionValues(request, NOW).variables)).toBe(true);
  }, 5000);

  it("compiles the conditions of 500 policies at most", () => {
    const policies = Array.from({ length: 500 }, (_, n) => compileRule({ when: `args.amount != ${n}` }));
    const last = { ...compileRule(), getCondition: () => expect.fail("compiled") };
    const values = createConditionValues(createRequest(), NOW);
    expect(runAll(decide([...policies, last], values, "deny")).results).toHaveLength(501);
  });

  it("works in steps, so that others have turns: of a few policies, and of what costs a tenth of a millisecond", () => {
    const policies = Array.from({ length: 100 }, () => compileRule());
    const index = runAll(indexPolicies(policies, ({ rule }) => rule));
    expect([...selectPolicies(index, createRequest())]).toHaveLength(6);
    const when = "args.list.all(x, x != 1)";
    const costly = Array.from({ length: 100 }, () => compileRule({ when }));
    const properties = { arguments: { list: Array(40).fill(0) } };
    const values = createConditionValues(createRequest({ action: { properties } }), NOW);
    expect([...decide(costly, values, "deny")]).toHaveLength(100);
    const cheap = createConditionValues(createRequest({ action: { properties: { arguments: {} } } }), NOW);
    expect([...decide(policies, cheap, "deny")].length).toBeLessThan(10);
  });

  it("knows labels named as members of every object", () => {
    const labels = { team: "finance", constructor: "x" };
    const agent = { id: "a", handle: "a", kind: "software" as const, version: null, labels };
    const request = createRequest({ subject: { agent } });
    const policy = compileRule({ when: 'agent.labels.team == "finance" && "constructor" in agent.labels' });
    expect(runAll(decide([policy], createConditionValues(request, NOW), "deny")).outcome).toBe("allow");
  });

  it("combines the strictest terms of all that ask", () => {
    const terms = decideBy([
      {
        ...ask,
        approval: { role: "admin", ttlSeconds: 3600, validSeconds: 60, uses: 5, scope: "tool", edits: true },
      },
      { ...ask, approval: { persons: 2, ttlSeconds: 600, validSeconds: 600, uses: 2, edits: true } },
    ]).terms;
    expect(terms).toEqual({
      ...{
        role: "admin",
        persons: 2,
        ttlSeconds: 600,
        validSeconds: 60,
        uses: 2,
        scope: "exact",
        edits: true,
      },
    });
    expect(decideBy([ask]).terms).toEqual({
      ...{
        role: "operator",
        persons: 1,
        ttlSeconds: 900,
        validSeconds: 300,
        uses: 1,
        scope: "exact",
        edits: false,
      },
    });
  });

  it("sees members named as those of every object as plain data", () => {
    const rule = {
      ...allow,
      when: 'args.constructor == "x" && args.inner.constructor == 1 && args["__proto__"] == 2',
    };
    const args: unknown = JSON.parse('{"constructor":"x","inner":{"constructor":1},"__proto__":2}');
    expect(decideBy([rule], args)).toMatchObject({ outcome: "allow" });
    expect(decideBy([{ ...allow, when: "has(args.constructor)" }], {})).toMatchObject({ outcome: "deny" });
  });
});
