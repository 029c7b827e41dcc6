import { describe, expect, it } from "vitest";
import { createSharedCapacity } from "../../../src/domain/kernel/shared-capacity.ts";

describe("shared capacity", () => {
  it("is given to a holder as far as as much remains for others", () => {
    const capacity = createSharedCapacity(10);
    capacity.take("one", 4);
    expect([capacity.fits("one", 1), capacity.fits("one", 2)]).toEqual([true, false]);
    expect([capacity.fits("other", 3), capacity.fits("other", 4)]).toEqual([true, false]);
    capacity.take("one", 2);
    expect([capacity.fits("one", 1), capacity.fits("other", 2)]).toEqual([false, true]);
    capacity.release("one", 6);
    expect(capacity.fits("one", 5)).toBe(true);
  });
});
