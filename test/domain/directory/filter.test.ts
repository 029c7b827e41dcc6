import { describe, expect, it } from "vitest";
import { parseFilter } from "../../../src/domain/directory/filter.ts";

const PRESENT = { kind: "present", path: ["userName"] };

/** A filter within this many others. */
function nest(filter: unknown, depth: number): unknown {
  return depth === 0 ? filter : nest({ kind: "and", operands: [filter] }, depth - 1);
}

describe("a filter in JSON", () => {
  it("is returned if it is valid", () => {
    const filter = nest({ kind: "or", operands: [PRESENT, { kind: "not", operand: PRESENT }] }, 20);
    expect(parseFilter(filter)).toEqual(filter);
  });

  it.each([
    ["an unknown kind", { kind: "some kind" }],
    ["an unknown member", { ...PRESENT, other: 1 }],
    ["no operands", { kind: "and", operands: [] }],
    ["a path of five names", { kind: "present", path: ["a", "b", "c", "d", "e"] }],
    ["an object as a value", { kind: "compare", path: ["userName"], comparison: "eq", value: {} }],
    ["a list", [PRESENT]],
  ])("is rejected for %s", (_what, filter) => {
    expect(() => parseFilter(nest(filter, 3))).toThrow("The filter is not valid.");
  });

  it("is rejected for thousands of deeply nested problems at the first one", () => {
    const zeros = Array.from({ length: 28_000 }, () => 0);
    const filter = nest({ kind: "or", operands: zeros }, 45);
    const before = process.cpuUsage();
    expect(() => parseFilter(filter)).toThrow("The filter is not valid.");
    // All of them took seconds.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });

  it("is rejected above 200 parts, and above 30 levels", () => {
    const operands = Array.from({ length: 200 }, () => PRESENT);
    expect(() => parseFilter({ kind: "or", operands })).toThrow("At most 200 parts are allowed.");
    expect(() => parseFilter(nest(PRESENT, 30))).toThrow("At most 30 levels are allowed.");
    expect(parseFilter(nest(PRESENT, 29))).toEqual(nest(PRESENT, 29));
  });
});
