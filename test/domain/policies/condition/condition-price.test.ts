import { describe, expect, it } from "vitest";
import { compileCondition } from "../../../../src/domain/policies/condition/compile-condition.ts";
import { createConditionValues } from "../../../../src/domain/policies/condition/condition-values.ts";
import {
  MOST_STEPS,
  TOO_COSTLY,
  evaluateWithin,
} from "../../../../src/domain/policies/condition/evaluate-within.ts";
import { LIMITS } from "../../../../src/domain/kernel/limits.ts";
import { createRequest } from "../../../support/policies.ts";

const NOW = new Date("2026-11-22T10:30:00Z");

/** As many elements as a request may have: the three are its members. */
const ITEMS = Array.from({ length: LIMITS.checkedElements - 4 }, (_, at) => at);
/** As long as a request may be. */
const LONG = "aB".repeat(LIMITS.requestBytes / 2 - 100);

/** What a condition is charged for arguments, in steps, and what it says. */
function charge(text: string, args: object) {
  const compiled = compileCondition(text);
  if ("problems" in compiled) throw new Error(compiled.problems[0]?.message);
  const request = createRequest({ action: { properties: { arguments: args } } });
  const left = { steps: MOST_STEPS };
  const result = evaluateWithin(left, compiled.condition, createConditionValues(request, NOW));
  return { result, steps: MOST_STEPS - left.steps };
}

/** So many times, joined so that each is evaluated. */
function repeat(text: string, times: number, by = " || "): string {
  return Array.from({ length: times }, () => text).join(by);
}

describe("the price of a condition", () => {
  it.each<[name: string, text: string, args: object]>([
    [
      "time zones for each element",
      `args.items.exists(i, ${repeat('now.getHours("Europe/Berlin") == 30', 4)})`,
      { items: ITEMS },
    ],
    [
      "a time zone for each element of four lists",
      repeat('args.items.exists(i, now.getHours("Europe/Berlin") == 30)', 4),
      { items: ITEMS },
    ],
    ["changes of a long text", repeat('args.text.upperAscii() == "x"', 8), { text: LONG }],
    ["trims of a long text", repeat('args.text.trim() == "x"', 8), { text: " ".repeat(LONG.length) }],
    ["errors of each element", `args.items.exists(i, ${repeat("has(i.a)", 8)})`, { items: ITEMS }],
    ["a long text in itself", "args.text.contains(args.text)", { text: LONG }],
  ])("is more than any request may cost for %s, which are not evaluated", (_name, text, args) => {
    expect(charge(text, args)).toEqual({ result: TOO_COSTLY, steps: 0 });
  });

  it.each<[name: string, text: string, args: object, least: number]>([
    ["a time zone", 'now.getHours("Europe/Berlin") == 30', {}, 1000],
    ["each element that is looked through", "args.n in args.items", { n: -1, items: ITEMS }, ITEMS.length],
    [
      "each element of each list that is looked through",
      repeat("args.n in args.items", 40),
      { n: -1, items: ITEMS },
      40 * ITEMS.length,
    ],
    [
      "each value of a list in the condition, for each element",
      `args.items.exists(i, i in [${repeat("5000", 200, ", ")}])`,
      { items: ITEMS },
      0.3 * 200 * ITEMS.length,
    ],
    ["each byte of a text that is changed", 'args.text.lowerAscii() == "x"', { text: LONG }, LONG.length / 4],
    ["each byte of the name of a member", "args[args.text] == 1", { text: LONG, n: 1 }, LONG.length / 200],
    [
      "both sides of a comparison",
      "args.items == args.others",
      { items: ITEMS.slice(0, 500), others: ITEMS.slice(0, 500) },
      2000,
    ],
  ])("has %s", (...[, text, args, least]) => {
    const { result, steps } = charge(text, args);
    expect(result).not.toBe(TOO_COSTLY);
    expect(steps).toBeGreaterThanOrEqual(least);
  });

  it("leaves room for what people write", () => {
    const items = ITEMS.map((amount) => ({ amount })).slice(0, 500);
    const args = { items, text: LONG };
    expect(charge("args.items.all(i, has(i.amount) && i.amount < 1000)", args).result).toBe(true);
    expect(charge('args.text.lowerAscii().contains("drop table")', args).result).toBe(false);
    const hours = 'now.getHours("Europe/Berlin") >= 8 && now.getHours("Europe/Berlin") < 18';
    expect(charge(hours, args).result).toBe(true);
  });
});
