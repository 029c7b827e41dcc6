import { readFileSync } from "node:fs";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { compileCondition } from "../../../../src/domain/policies/condition/compile-condition.ts";
import { createConditionValues } from "../../../../src/domain/policies/condition/condition-values.ts";
import { createRequest } from "../../../support/policies.ts";
import { runs } from "../../../support/property-runs.ts";

const CASES = readFileSync(path.join(import.meta.dirname, "cel-spec-cases.tsv"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"));

/** Numbers and times that JSON can't say, and that no comparison of what a caller sends meets. */
const KNOWN_DIFFERENCES = [
  "conversions/int/double_int_max_range",
  "conversions/int/double_range",
  "conversions/uint/double_uint_max_range",
  "integer_math/int64_math/int64_min_negate",
  "integer_math/int64_math/int64_min_negate_div",
  "timestamps/timestamp_arithmetic/add_time_to_duration_nanos_positive",
];

const NOW = new Date("2026-11-22T10:30:00Z");

function toValues(args: unknown, context: Record<string, unknown> = {}) {
  const action = { name: "tools/call", isCommand: false, properties: { arguments: args } };
  return createConditionValues(createRequest({ action, context }), NOW).variables;
}

function compile(text: string) {
  const compiled = compileCondition(text);
  return "problems" in compiled ? expect.fail(JSON.stringify(compiled.problems)) : compiled.condition;
}

describe("the evaluator of conditions", () => {
  it("is the version that was tried", () => {
    const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(dependencies["@marcbachmann/cel-js"]).toBe("8.0.0");
  });

  it("means by what it admits what the specification of CEL means", () => {
    const [values, differences] = [toValues({}), [] as unknown[]];
    let admitted = 0;
    for (const [name, expected, text = ""] of CASES) {
      const compiled = compileCondition(JSON.parse(text));
      if ("problems" in compiled) continue;
      admitted++;
      const result = compiled.condition.evaluate(values);
      const isRight = expected === "error" ? typeof result !== "boolean" : result === true;
      if (!isRight) differences.push(name);
    }
    expect(differences).toEqual(KNOWN_DIFFERENCES);
    expect(admitted).toBeGreaterThan(350);
  });

  it.each([
    ['args.text.lowerAscii() == "kubectl"', "\u212aubectl", false],
    ['args.text.lowerAscii() == "kubectl"', "KubeCtl", true],
    ['args.text.upperAscii() == "SS"', "\u00df", false],
    ['args.text.trim( ) == "a"', " a\u0085", true],
    ['args.text.trim().lowerAscii() == "a"', "\ufeffA", false],
    ['has(args.text) && args.text.trim().upperAscii().lowerAscii() == "trim"', " TRIM ", true],
  ])("changes letters of ASCII alone, and trims spaces: %s of %j", (text, value, expected) => {
    expect(compile(text).evaluate(toValues({ text: value }))).toBe(expected);
  });

  it("is right after thousands of hostile requests", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(40)}1${"}".repeat(40)}`);
    const parsed = JSON.parse('{"__proto__":{"amount":1},"constructor":{"amount":1},"toString":1}');
    const hostile = [
      ...["\ud800", deep, parsed, 1e21, -0, [], [1, "a", null, { x: [] }], null, "x".repeat(1000)],
      ...[
        { amount: null },
        { amount: "900" },
        { amount: [900] },
        { amount: { valueOf: 900 } },
        { items: null },
      ],
    ];
    const conditions = [
      "args.amount > 500",
      "args.items.exists(item, item.price > 10)",
      'args.a.a.a.b.startsWith("x") || args["__proto__"].amount == 2',
      'string(args.amount) == "x" || int(args.items) == 1',
    ].map(compile);
    for (let count = 0; count < 5000; count++) {
      const values = toValues(hostile[count % hostile.length], {
        nested: hostile[(count * 7) % hostile.length],
      });
      for (const condition of conditions) expect(condition.evaluate(values)).not.toBe(true);
    }
    expect(conditions[0]?.evaluate(toValues({ amount: 900 }))).toBe(true);
    expect(conditions[1]?.evaluate(toValues({ items: [{ price: 20 }] }))).toBe(true);
    expect(Object.prototype).not.toHaveProperty("amount");
  });

  it("keeps nothing of what it evaluated, half of which errs", { timeout: 120_000 }, () => {
    const condition = compile('args.amount > 500 && args.items.exists(item, item == "x")');
    const [good, bad] = [toValues({ amount: 900, items: ["x"] }), toValues({ amount: "900" })];
    const evaluateMany = (count: number) => {
      for (let done = 0; done < count; done++) condition.evaluate(done % 2 === 0 ? good : bad);
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = evaluateMany(20_000);
    expect(evaluateMany(runs(100_000)) - before).toBeLessThan(3_000_000);
  });
});

setFlagsFromString("--expose-gc");
// Only a new context has what the flag exposes.
const collectGarbage = runInNewContext("gc") as () => void;
