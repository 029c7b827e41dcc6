import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isListed } from "../../../src/domain/gateway-checks/is-listed.ts";
import { selectPolicies } from "../../../src/domain/gateway-checks/select-policies.ts";
import type { CompiledPolicy } from "../../../src/domain/policies/compile-policy.ts";
import { createConditionValues } from "../../../src/domain/policies/condition/condition-values.ts";
import { decide } from "../../../src/domain/policies/decide.ts";
import type { EvaluationRequest } from "../../../src/domain/policies/evaluation-request.ts";
import { indexPolicies } from "../../../src/domain/policies/policy-index.ts";
import { requests, scopes } from "../../support/arbitrary-policies.ts";
import { compileRule } from "../../support/policies.ts";
import { runs } from "../../support/property-runs.ts";
import { runAll } from "../../support/run-all.ts";

const NOW = new Date("2026-11-22T10:30:00Z");

/** Some err for some arguments. */
const CONDITIONS = [
  ...["true", "args.amount > 500", "has(args.amount) && args.amount > 500", "args.flag == true"],
  ...['resource.name == "ab"', 'action.name.startsWith("a")', 'agent.handle == "b"', "now.getHours() < 11"],
];

const policies = fc
  .tuple(
    scopes,
    fc.record({
      effect: fc.constantFrom("allow" as const, "allow" as const, "deny" as const, "ask" as const),
      mode: fc.constantFrom("enforce" as const, "enforce" as const, "monitor" as const),
      when: fc.option(fc.constantFrom(...CONDITIONS), { nil: null, freq: 2 }),
    }),
  )
  .map(([scope, rule]) => ({ ...scope, ...rule }));

const calls = fc
  .tuple(
    requests,
    fc.record({ amount: fc.constantFrom(100, 900, "900"), flag: fc.boolean() }, { requiredKeys: [] }),
  )
  .map(([request, args]) => ({ ...request, action: { ...request.action, properties: { arguments: args } } }));

const fallbacks = fc.constantFrom("allow" as const, "deny" as const);

/** Decides by all of these policies. The order in which they are considered doesn't matter. */
function decideBy(all: readonly CompiledPolicy[], request: EvaluationRequest, fallback: "allow" | "deny") {
  const { results, unmet, decidedBy, ...verdict } = runAll(
    decide([...all], createConditionValues(request, NOW), fallback),
  );
  const byId = results.toSorted((one, other) => (one.policy.id < other.policy.id ? -1 : 1));
  return { ...verdict, results: byId, unmet: new Set(unmet), decidedBy: new Set(decidedBy) };
}

function indexAll(all: readonly CompiledPolicy[]) {
  return runAll(indexPolicies([...all], ({ rule }) => rule));
}

/** Decides by what the index finds, and by every policy in whose scope the request is: both are the same. */
function expectSame(
  all: readonly CompiledPolicy[],
  { request, fallback }: { request: EvaluationRequest; fallback: "allow" | "deny" },
  index = indexAll(all),
) {
  const sliced = decideBy(runAll(selectPolicies(index, request)), request, fallback);
  const whole = decideBy(
    all.filter((policy) => policy.isInScope(request)),
    request,
    fallback,
  );
  expect(sliced).toEqual(whole);
  return sliced;
}

describe("a decision by the policies that the index finds", () => {
  it("is that of all policies, whatever they say", () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(
        fc.array(policies, { minLength: 3, maxLength: 30 }),
        calls,
        fallbacks,
        (rules, request, fallback) => {
          const all = rules.map((rule) => compileRule(rule));
          outcomes.add(expectSame(all, { request, fallback }).reason);
        },
      ),
      { numRuns: runs(400) },
    );
    expect([...outcomes].toSorted()).toEqual([
      ...[
        "approval_required",
        "default_allow",
        "default_deny",
        "policy_allow",
        "policy_deny",
        "policy_error",
      ],
    ]);
  });
});

describe("a decision by the policies that the index finds of 10,000", () => {
  const COUNT = 10_000;
  const SERVERS = 500;

  it("is that of all of them", () => {
    const all = fc.sample(policies, COUNT).map(({ effect, mode, when }, at) => {
      const server = `s${at % SERVERS}`;
      const name = [`${server}.t${at % 7}`, `${server}.t*`, `${server}.*`, `*.t${at}`][at % 4] ?? "*";
      const resources = [{ type: "tool", name }];
      return compileRule({ effect, mode, when, actions: ["tools/call"], resources });
    });
    const index = indexAll(all);
    const found: number[] = [];
    fc.assert(
      fc.property(calls, fallbacks, fc.tuple(fc.nat(SERVERS - 1), fc.nat(6)), (call, fallback, named) => {
        const [server, tool] = named;
        const resource = { ...call.resource, type: "tool", id: `s${server}.t${tool}`, agent: null };
        const action = { ...call.action, name: "tools/call", isCommand: false };
        const request = { ...call, resource, action };
        found.push(expectSame(all, { request, fallback }, index).results.length);
      }),
      { numRuns: runs(200) },
    );
    expect(Math.max(...found)).toBeGreaterThan(5);
  });
});

describe("a listing, which does not know the arguments", () => {
  it("hides nothing that could be allowed or asked about", () => {
    const found = { hidden: 0, listed: 0 };
    fc.assert(
      fc.property(
        fc.array(policies, { maxLength: 6 }),
        fc.array(calls, { minLength: 1, maxLength: 5 }),
        fallbacks,
        (rules, [first, ...others], fallback) => {
          if (first === undefined) return;
          const inScope = rules.map((rule) => compileRule(rule)).filter((one) => one.isInScope(first));
          const isShown = isListed(inScope, fallback);
          found[isShown ? "listed" : "hidden"]++;
          const args = [first, ...others].map(({ action }) => action);
          const outcomes = args.map(
            ({ properties }) =>
              decideBy(inScope, { ...first, action: { ...first.action, properties } }, fallback).outcome,
          );
          if (!isShown) expect(new Set(outcomes)).toEqual(new Set(["deny"]));
        },
      ),
      { numRuns: runs(400) },
    );
    expect(Math.min(found.hidden, found.listed)).toBeGreaterThan(50);
  });
});
