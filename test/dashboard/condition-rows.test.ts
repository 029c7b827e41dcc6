import { describe, expect, it } from "vitest";
import {
  type TypedRow,
  joinConditions,
  toConjunct,
} from "../../src/dashboard/views/policies/form/to-conjunct.ts";
import { compileCondition } from "../../src/domain/policies/condition/compile-condition.ts";

const VALUES = {
  args: { amount: 900, currency: "EUR", nested: { to: "x" }, nothing: null, quoted: "900", odd: 'a"b\\c' },
  request: {},
  agent: { id: "1", handle: "billing-7", kind: "software", version: "1.2", labels: { team: "finance" } },
  environment: "production",
  counters: { calls_last_minute: 7n },
};

const ROW: TypedRow = { path: "args.amount", comparison: "more", value: "500", holdsIfMissing: false };

/** Writes a row, and evaluates what was written. */
function evaluate(row: Partial<TypedRow>): { text: string; result: unknown } {
  const written = toConjunct({ ...ROW, ...row });
  if ("problem" in written) throw new Error(written.problem);
  const compiled = compileCondition(written.text);
  if ("problems" in compiled) throw new Error(`${written.text}: ${JSON.stringify(compiled.problems)}`);
  return { text: written.text, result: compiled.condition.evaluate(VALUES) };
}

describe("a row of a condition", () => {
  it.each<[Partial<TypedRow>, string, boolean]>([
    [{}, "has(args.amount) && args.amount > 500", true],
    [{ holdsIfMissing: true }, "!has(args.amount) || args.amount > 500", true],
    [{ path: "args.other" }, "has(args.other) && args.other > 500", false],
    [{ path: "args.other", holdsIfMissing: true }, "!has(args.other) || args.other > 500", true],
    [
      { path: "args.nested.to", comparison: "is", value: "x" },
      'has(args.nested) && has(args.nested.to) && args.nested.to == "x"',
      true,
    ],
    [
      { path: "args.other.to", comparison: "is", value: "x", holdsIfMissing: true },
      '!(has(args.other) && has(args.other.to)) || args.other.to == "x"',
      true,
    ],
    [
      { path: "args.quoted", comparison: "is", value: '"900"' },
      'has(args.quoted) && args.quoted == "900"',
      true,
    ],
    [
      { path: "args.nothing", comparison: "is", value: "null" },
      "has(args.nothing) && args.nothing == null",
      true,
    ],
    [
      { path: "args.odd", comparison: "is", value: 'a"b\\c' },
      String.raw`has(args.odd) && args.odd == "a\"b\\c"`,
      true,
    ],
    [
      { path: "args.currency", comparison: "oneOf", value: "USD, EUR, 5" },
      'has(args.currency) && args.currency in ["USD", "EUR", "5"]',
      true,
    ],
    [
      { path: "args.amount", comparison: "oneOf", value: "900, 1.5" },
      "has(args.amount) && args.amount in [900.0, 1.5]",
      true,
    ],
    [{ path: "args.other", comparison: "absent" }, "!has(args.other)", true],
    [{ path: "args.nested.to", comparison: "present" }, "has(args.nested) && has(args.nested.to)", true],
    [
      { path: "agent.handle", comparison: "glob", value: "billing-*" },
      'agent.handle.glob("billing-*")',
      true,
    ],
    [{ path: "environment", comparison: "isNot", value: "staging" }, 'environment != "staging"', true],
    [
      { path: "counters.calls_last_minute", comparison: "atMost", value: "7" },
      "counters.calls_last_minute <= 7",
      true,
    ],
    [
      { path: "agent.labels.team", comparison: "is", value: "finance" },
      'has(agent.labels.team) && agent.labels.team == "finance"',
      true,
    ],
  ])("%j is written as %s", (row, text, result) => {
    expect(evaluate(row)).toEqual({ text, result });
  });

  it.each<[Partial<TypedRow>, "path" | "value"]>([
    [{ path: "" }, "path"],
    [{ path: "args" }, "path"],
    [{ path: "args.a == 1 || true" }, "path"],
    [{ value: "many" }, "value"],
    [{ value: "" }, "value"],
    [{ path: "args.a", comparison: "atLeast", value: "1e9" }, "value"],
  ])("%j is rejected at its %s", (row, field) => {
    expect(toConjunct({ ...ROW, ...row })).toMatchObject({ field });
  });

  it("holds together with the rest of the condition, whatever either is", () => {
    expect(joinConditions("", "a > 1")).toBe("a > 1");
    expect(joinConditions("a > 1", "b > 2")).toBe("a > 1 && b > 2");
    expect(joinConditions("a > 1 || c", "!has(b) || b > 2")).toBe("(a > 1 || c) && (!has(b) || b > 2)");
    expect(joinConditions(" a ? b : c ", "d > 1")).toBe("(a ? b : c) && d > 1");
  });
});
