import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explainPolicies } from "../../../../src/domain/decisions/explanation.ts";
import { compileCondition } from "../../../../src/domain/policies/condition/compile-condition.ts";
import {
  type KnownValues,
  type PartResult,
  combineParts,
  explainCondition,
} from "../../../../src/domain/policies/condition/condition-parts.ts";
import { createConditionValues } from "../../../../src/domain/policies/condition/condition-values.ts";
import { MOST_STEPS } from "../../../../src/domain/policies/condition/evaluate-within.ts";
import { createRequest } from "../../../support/policies.ts";
import { runAll } from "../../../support/run-all.ts";
import { runs } from "../../../support/property-runs.ts";

const NOW = new Date("2026-11-22T10:30:00Z");

function toKnown(args: unknown, unknown: readonly string[] = []): KnownValues {
  const request = createRequest({ action: { properties: { arguments: args } } });
  return { ...createConditionValues(request, NOW), isUnknown: (path) => unknown.includes(path) };
}

function explain(text: string, ...given: Parameters<typeof toKnown>) {
  return explainCondition(text, toKnown(...given), { steps: MOST_STEPS });
}

/** A result without its message. */
function simplify(result: PartResult): boolean | string {
  return typeof result === "object" ? "error" : result;
}

function listParts(...given: Parameters<typeof explain>): string[] {
  return explain(...given).map(
    ({ text, depth, result }) => `${"  ".repeat(depth)}${text}: ${simplify(result)}`,
  );
}

describe("the parts of a condition", () => {
  it("are its conjuncts as they are written, and the alternatives in them", () => {
    const text =
      'has(args.a) && ( args.a == 1.0 || (args.b in ["x)", "&&"] && !(args.c || args.d)) ) && args.e';
    expect(listParts(text, { a: 2, b: "x)", c: false, d: true })).toEqual([
      "has(args.a): true",
      '( args.a == 1.0 || (args.b in ["x)", "&&"] && !(args.c || args.d)) ): false',
      "  args.a == 1.0: false",
      '  (args.b in ["x)", "&&"] && !(args.c || args.d)): false',
      '    args.b in ["x)", "&&"]: true',
      "    !(args.c || args.d): false",
      "args.e: error",
    ]);
  });

  it.each([
    ["args.a", ["args.a: true"]],
    ["((args.a))", ["((args.a)): true"]],
    ["(args.a) && (args.b)", ["(args.a): true", "(args.b): false"]],
    ["(args.a && (args.b)) && args.a", ["args.a: true", "(args.b): false", "args.a: true"]],
    ["args.a || args.b", ["args.a || args.b: true", "  args.a: true", "  args.b: false"]],
    ["args.a // && true\n && args.b", ["args.a // && true\n && args.b: false"]],
    ["args.a ? args.b : args.a && args.b", ["args.a ? args.b : args.a && args.b: false"]],
  ])("of %j are split where operators join them", (text, parts) => {
    expect(listParts(text, { a: true, b: false })).toEqual(parts);
  });

  it("have places in the text", () => {
    const text = " args.a  &&(args.b||args.c)";
    for (const { text: part, start, end } of explain(text, {})) expect(text.slice(start, end)).toBe(part);
  });

  it.each([
    ["args.a && args.known", false],
    ["args.known && args.a", false],
    ["args.a && !args.known", "unknown"],
    ["args.a || !args.known", true],
    ["args.a || args.known", "unknown"],
    ["args.a && args.missing", "unknown"],
  ])("of %j are unknown if what they read is, and only then", (text, result) => {
    expect(combineParts(explain(text, { a: true, known: false }, ["args.a"]))).toBe(result);
  });

  it("are evaluated while what a decision may cost is left, and the others err", () => {
    const long = { a: "a".repeat(100_000), b: "a".repeat(50_000), c: true };
    expect(explain("args.a.contains(args.b) || args.c", long)).toMatchObject([
      { result: true },
      { text: "args.a.contains(args.b)", result: { code: "too_complex" } },
      { text: "args.c", result: true },
    ]);
    const searched = { a: "a".repeat(10_000), b: "a".repeat(5000) };
    const policy = { id: null, generation: null, name: "a", effect: "allow", mode: "enforce" } as const;
    const when = "args.a.contains(args.b)";
    const policies = Array.from({ length: 5 }, () => ({ ...policy, result: true, decided: true, when }));
    const explained = runAll(explainPolicies(policies, toKnown(searched)));
    expect(explained.map(({ conditions: [part] }) => part?.result)).toEqual([
      ...[true, true],
      ...Array(3).fill(expect.objectContaining({ code: "too_complex" })),
    ]);
  });

  it("err by themselves as they do together", () => {
    const leaf = fc.constantFrom(
      ...["args.t", "args.f", "args.missing", "args.text", "!args.f", "!(args.t && args.f)"],
      ...["args.n > 5.0", "(args.t)", "has(args.x)", 'args.text == "a && (b"', "args.text > 5.0"],
      ...["args.list.exists(x, x == 1.0 || x == 2.0)", "(args.t ? args.f : args.t)"],
    );
    const { condition } = fc.letrec<{ condition: string }>((tie) => ({
      condition: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        leaf,
        fc
          .tuple(tie("condition"), fc.constantFrom("&&", " || ", " &&\n"), tie("condition"), fc.boolean())
          .map(([left, operator, right, enclosed]) =>
            enclosed ? `(${left}${operator}${right})` : `${left}${operator}${right}`,
          ),
      ),
    }));
    const args = { t: true, f: false, n: 7, text: "a", list: [2] };
    const { variables } = createConditionValues(
      createRequest({ action: { properties: { arguments: args } } }),
      NOW,
    );
    fc.assert(
      fc.property(condition, (text) => {
        const compiled = compileCondition(text);
        if ("problems" in compiled) return;
        const whole = simplify(compiled.condition.evaluate(variables));
        expect(simplify(combineParts(explain(text, args)))).toBe(whole);
      }),
      { numRuns: runs(500) },
    );
  });
});
