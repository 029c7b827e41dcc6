import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alignSpans, getDifference } from "../../src/dashboard/views/traces/compare/align-spans.ts";
import { anySpans, plant } from "./support/plant-tree.ts";

describe("alignSpans", () => {
  it("puts spans together that have the same names above them, and says what changed", () => {
    const before = plant([
      { id: "1", name: "agent", duration: 9000 },
      { id: "2", parent: "1", name: "chat", start: 1, duration: 2000 },
      { id: "3", parent: "1", name: "chat", start: 2, duration: 2000 },
      { id: "4", parent: "1", name: "search", start: 3 },
      { id: "5", parent: "4", name: "chat", start: 4, duration: 3000 },
    ]);
    const after = plant([
      { id: "a", name: "agent", duration: 5000 },
      { id: "b", parent: "a", name: "chat", start: 1, duration: 5500 },
      { id: "c", parent: "a", name: "refund", start: 3, failed: true },
      { id: "d", parent: "b", name: "chat", start: 4, duration: null },
    ]);
    const shown = alignSpans(before, after).map((one) => [
      `${" ".repeat(one.depth)}${one.name}`,
      ...[one.before.count, one.before.durationUs, one.after.count, one.after.durationUs],
      getDifference(one),
    ]);
    expect(shown).toEqual([
      ["agent", 1, 9000, 1, 5000, "faster"],
      [" chat", 2, 4000, 1, 5500, "slower"],
      ["  chat", 0, 0, 1, 0, "new"],
      [" search", 1, 10, 0, 0, "gone"],
      ["  chat", 1, 3000, 0, 0, "gone"],
      [" refund", 0, 0, 1, 10, "new"],
    ]);
  });

  it("tells failures before times, and no difference below a fifth or a millisecond", () => {
    const compare = (duration: number, other: number, failed = false) =>
      alignSpans(plant([{ id: "1", duration }]), plant([{ id: "2", duration: other, failed }])).map(
        getDifference,
      );
    expect(compare(10_000, 11_000)).toEqual(["same"]);
    expect(compare(10_000, 12_000)).toEqual(["slower"]);
    expect(compare(12_000, 10_000)).toEqual(["faster"]);
    expect(compare(100, 900)).toEqual(["same"]);
    expect(compare(10_000, 1000, true)).toEqual(["fails"]);
  });

  it("doesn't compare how long an open span has taken", () => {
    const [row] = alignSpans(plant([{ id: "1", duration: 9000 }]), plant([{ id: "2", duration: null }]));
    expect(row && [row.before.open, row.after.open, getDifference(row)]).toEqual([0, 1, "same"]);
  });

  it("counts each span of any two traces once, parents first", () => {
    fc.assert(
      fc.property(anySpans, anySpans, (one, other) => {
        const [before, after] = [plant(one), plant(other)];
        const rows = alignSpans(before, after);
        const count = (side: "before" | "after") => rows.reduce((sum, row) => sum + row[side].count, 0);
        expect([count("before"), count("after")]).toEqual([before.order.length, after.order.length]);
        for (const [index, { depth }] of rows.entries()) {
          expect(depth).toBeLessThanOrEqual((rows[index - 1]?.depth ?? -1) + 1);
        }
      }),
    );
  });

  it("aligns a trace of 50,000 spans below each other", () => {
    const deep = plant(
      Array.from({ length: 50_000 }, (_, index) => ({
        id: `${index}`,
        parent: index === 0 ? null : `${index - 1}`,
        start: index,
      })),
    );
    expect(alignSpans(deep, deep)).toHaveLength(50_000);
  });
});
