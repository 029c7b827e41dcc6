import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toRollingShares } from "../../src/dashboard/views/now/charts/rolling-shares.ts";

describe("toRollingShares", () => {
  it("is the share within the last steps, and null where there is nothing", () => {
    expect(toRollingShares([1, 0, null, 0, 0], [1, 2, 0, 0, 0], 2)).toEqual([0.5, 0.25, 0, null, null]);
    expect(toRollingShares([], [1, 0], 1)).toEqual([0, null]);
    expect(toRollingShares([], [], 3)).toEqual([]);
  });

  it("is the same as counting anew at each step", () => {
    const counts = fc.array(fc.option(fc.nat(50)), { maxLength: 40 });
    fc.assert(
      fc.property(counts, counts, fc.integer({ min: 1, max: 50 }), (some, others, size) => {
        function count(values: readonly (number | null)[], at: number): number {
          const own = values.slice(Math.max(0, at - size + 1), at + 1);
          return own.reduce<number>((sum, value) => sum + (value ?? 0), 0);
        }
        toRollingShares(some, others, size).forEach((share, at) => {
          const [own, rest] = [count(some, at), count(others, at)];
          expect(share).toBe(own + rest === 0 ? null : own / (own + rest));
        });
      }),
    );
  });
});
