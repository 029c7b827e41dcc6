import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRows } from "../../src/dashboard/views/policies/form/read-rows.ts";
import {
  COMPARISONS,
  type TypedRow,
  isOptional,
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
  // A Monday, 08:30 in Berlin.
  now: new Date("2026-11-23T07:30:00Z"),
};

const ROW: TypedRow = {
  path: "args.amount",
  comparison: "more",
  value: "500",
  holdsIfMissing: false,
  zone: "",
};

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
    [{ path: "hour", comparison: "less", value: "8" }, "now.getHours() < 8", true],
    [
      { path: "hour", comparison: "is", value: "8", zone: "Europe/Berlin" },
      'now.getHours("Europe/Berlin") == 8',
      true,
    ],
    [
      { path: "weekday", comparison: "oneOf", value: "Sat, Sun, monday", zone: "Etc/GMT+1" },
      'now.getDayOfWeek("Etc/GMT+1") in [6, 0, 1]',
      true,
    ],
  ])("%j is written as %s", (row, text, result) => {
    expect(evaluate(row)).toEqual({ text, result });
  });

  it.each<[Partial<TypedRow>, "path" | "value" | "zone"]>([
    [{ path: "" }, "path"],
    [{ path: "args" }, "path"],
    [{ path: "args.a == 1 || true" }, "path"],
    [{ value: "many" }, "value"],
    [{ value: "" }, "value"],
    [{ path: "args.a", comparison: "atLeast", value: "1e9" }, "value"],
    [{ path: "hour", comparison: "is", value: "24" }, "value"],
    [{ path: "weekday", comparison: "is", value: "Mon, Tue" }, "value"],
    [{ path: "weekday", comparison: "glob", value: "Mon" }, "path"],
    [{ path: "hour", comparison: "is", value: "8", zone: 'Europe") || ("' }, "zone"],
  ])("%j is rejected at its %s", (row, field) => {
    expect(toConjunct({ ...ROW, ...row })).toMatchObject({ field });
  });

  it("holds together with the rest of the condition, whatever either is", () => {
    expect(joinConditions(["", "a > 1"])).toBe("a > 1");
    expect(joinConditions(["a > 1", "b > 2"])).toBe("a > 1 && b > 2");
    expect(joinConditions(["a > 1 || c", "!has(b) || b > 2"])).toBe("(a > 1 || c) && (!has(b) || b > 2)");
    expect(joinConditions([" a ? b : c ", "d > 1"])).toBe("(a ? b : c) && d > 1");
    expect(joinConditions(["a // why", "d > 1"])).toBe("(a // why\n) && d > 1");
  });
});

const word = fc.stringMatching(/^[a-z]\w{0,5}$/);
const number = fc
  .tuple(fc.integer({ min: -999, max: 999 }), fc.constantFrom("", ".5"))
  .map((one) => one.join(""));
const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 8 })
  .filter((one) => one.trim() === one && !/^(?:-?[\d.]+|true|false|null|".*")$/.test(one))
  .filter((one) => !/\p{Cc}/u.test(one));
const path = fc.oneof(
  fc.constantFrom("environment", "agent.handle", "counters.calls_last_minute", "agent.labels.team"),
  fc.array(word, { minLength: 1, maxLength: 3 }).map((names) => ["args", ...names].join(".")),
);
const days = fc.constantFrom("Mon", "Tue", "Sat, Sun", "Mon, Tue, Wed");
const zone = fc.constantFrom("", "Europe/Berlin", "Etc/GMT+1");

/** Rows as they are read back: without spaces, quotes and zones that mean nothing. */
const row: fc.Arbitrary<TypedRow> = fc
  .oneof(
    fc
      .record({ path, comparison: fc.constantFrom("present", "absent") })
      .map((one) => ({ ...ROW, ...one, value: "" })),
    fc.record({ path, comparison: fc.constantFrom("less", "atMost", "more", "atLeast"), value: number }),
    fc.record({
      path,
      comparison: fc.constantFrom("is", "isNot"),
      value: fc.oneof(number, text, fc.constantFrom("true", "null", '"7"', '""')),
    }),
    fc.record({ path, comparison: fc.constant("glob"), value: text }),
    fc.record({
      path,
      comparison: fc.constant("oneOf"),
      value: fc.array(word, { minLength: 1, maxLength: 3 }).map((one) => one.join(", ")),
    }),
    fc.record({ path: fc.constant("weekday"), comparison: fc.constant("oneOf"), value: days, zone }),
    fc.record({
      path: fc.constant("hour"),
      comparison: fc.constantFrom("is", "less", "atLeast"),
      value: fc.integer({ min: 0, max: 23 }).map(String),
      zone,
    }),
  )
  .chain((one) =>
    fc.boolean().map((holdsIfMissing) => {
      const full = { ...ROW, ...one };
      const takesValue = full.comparison !== "present" && full.comparison !== "absent";
      return { ...full, holdsIfMissing: takesValue && isOptional(full.path) ? holdsIfMissing : true };
    }),
  )
  .filter(
    ({ path: of, comparison }) => isOptional(of) || (comparison !== "present" && comparison !== "absent"),
  );

/** The condition of rows, each of which can be written. */
function write(rows: readonly TypedRow[]): string {
  return joinConditions(
    rows.map((one) => {
      const written = toConjunct(one);
      if ("problem" in written) throw new Error(`${JSON.stringify(one)}: ${written.problem}`);
      return written.text;
    }),
  );
}

describe("a condition read as rows", () => {
  it("has the rows that wrote it, whatever they are", () => {
    expect(COMPARISONS).toHaveLength(10);
    fc.assert(
      fc.property(fc.array(row, { maxLength: 4 }), (rows) => {
        expect(readRows(write(rows)).map((part) => part.row)).toEqual(rows);
      }),
    );
  });

  it("means the same when it is put together again, whatever it is", () => {
    const { condition } = fc.letrec<{ condition: string }>((tie) => ({
      condition: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom("true", "false", "has(args.amount)", "args.amount > 500", "!has(args.other)"),
        fc.constantFrom(
          'args.currency == "a && b"',
          "args.currency == 'E||R'",
          "args.quoted in ['900', '(']",
        ),
        fc.constantFrom(
          "environment == r'\\'",
          'environment == """a"b"""',
          "environment != '' // && false\n",
        ),
        fc
          .tuple(tie("condition"), fc.constantFrom(" && ", "&&", " || ", "\n&& "), tie("condition"))
          .map((one) => one.join("")),
        fc
          .tuple(tie("condition"), tie("condition"), tie("condition"))
          .map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
        tie("condition").map((one) => `(${one})`),
        tie("condition").map((one) => `!(${one})`),
      ),
    }));
    fc.assert(
      fc.property(condition, (when) => {
        const evaluated = [when, joinConditions(readRows(when).map((part) => part.text))].map((one) => {
          const compiled = compileCondition(one);
          return "problems" in compiled ? "refused" : compiled.condition.evaluate(VALUES);
        });
        expect(evaluated[1]).toEqual(evaluated[0]);
      }),
    );
  });

  it.each<[string, (Partial<TypedRow> | null)[]]>([
    ["", []],
    [
      "has(args.amount)&&args.amount>500",
      [{ path: "args.amount", comparison: "more", holdsIfMissing: false }],
    ],
    ["environment == 'x' && args.a.size() > 3", [{ path: "environment", value: "x" }, null]],
    [
      "(!has(args.a) || args.a >= -5) && (has(args.b) || true)",
      [{ value: "-5", holdsIfMissing: true }, null],
    ],
    ["args.amount > 500", [null]],
    ["environment == 'x' || true", [null]],
    ["environment == 'x' // && true", [null]],
    [
      "now.getHours('UTC') >= 9 && now.getHours('UTC') < 17",
      [
        { path: "hour", value: "9" },
        { value: "17", zone: "UTC" },
      ],
    ],
  ])("reads %s", (when, rows) => {
    expect(readRows(when).map((part) => part.row)).toMatchObject(rows);
  });

  it("takes linear time", () => {
    for (const part of ["has(args.a) && ", "(", "!", '"', "a && ", "environment == 'x' && "]) {
      const before = process.cpuUsage();
      readRows(part.repeat(4000 / part.length));
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(500);
    }
  });
});
