import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatMicroseconds } from "../../src/dashboard/views/traces/format-microseconds.ts";
import { MINIMAP, drawMinimap } from "../../src/dashboard/views/traces/tree/draw-minimap.ts";
import { getExtent, listTicks, placeBar } from "../../src/dashboard/views/traces/tree/time-window.ts";
import { plant } from "./support/plant-tree.ts";

describe("time windows", () => {
  const tree = plant([
    { id: "done", start: 100, duration: 100 },
    { id: "open", start: 150, duration: null },
  ]);

  it("places bars in percent, and open ones up to now", () => {
    const extent = getExtent(tree, 400);
    expect(extent).toEqual({ fromUs: 0, toUs: 400 });
    expect(placeBar(tree, 0, { ...extent, nowUs: 400 })).toEqual({ left: 25, width: 25 });
    expect(placeBar(tree, 1, { ...extent, nowUs: 400 })).toEqual({ left: 37.5, width: 62.5 });
    expect(placeBar(tree, 0, { fromUs: 150, toUs: 250, nowUs: 400 })).toEqual({ left: 0, width: 50 });
    expect(placeBar(tree, 0, { fromUs: 300, toUs: 400, nowUs: 400 })).toBeNull();
  });

  it("keeps bars and ticks within any window", () => {
    const us = fc.integer({ min: 0, max: 10 ** 13 });
    fc.assert(
      fc.property(fc.tuple(us, us, us), us, ([a, b, now], start) => {
        const window = { fromUs: Math.min(a, b), toUs: Math.max(a, b) + 1 };
        const one = plant([{ id: "one", start, duration: now % 2 === 0 ? null : b }]);
        const bar = placeBar(one, 0, { ...window, nowUs: now });
        if (bar !== null) {
          expect(bar.left).toBeGreaterThanOrEqual(0);
          expect(bar.left + bar.width).toBeLessThanOrEqual(100.001);
        }
        const ticks = listTicks(window);
        expect(ticks.length).toBeLessThanOrEqual(6);
        for (const { left } of ticks) expect(left).toBe(Math.min(100, Math.max(0, left)));
      }),
    );
  });

  it.each([
    [0, "0 µs"],
    [999, "999 µs"],
    [12_340, "12.3 ms"],
    [1_500_000, "1.5 s"],
    [59_990_000, "60 s"],
    [185_000_000, "3 min 5 s"],
  ])("writes %d microseconds as %s", (us, text) => {
    expect(formatMicroseconds(us)).toBe(text);
  });
});

describe("drawMinimap", () => {
  it("draws each span in its lane, as wide as it is long", () => {
    const tree = plant([
      { id: "first", start: 0, duration: 50 },
      { id: "second", start: 50, duration: 50, failed: true },
    ]);
    expect(drawMinimap(tree, { fromUs: 0, toUs: 100 })).toEqual({
      spans: "M0 0h200v14H0z",
      failures: "M200 20h200v14H200z",
    });
  });

  it("draws failures apart, and never more than there is room for", () => {
    const spans = Array.from({ length: 20_000 }, (_, i) => ({
      ...{ id: `${i}`, start: (i * 7919) % 10_000, duration: 1, failed: i === 3 },
    }));
    const tree = plant(spans);
    const { spans: drawn, failures } = drawMinimap(tree, getExtent(tree, 0));
    expect(failures.match(/M/g)).toHaveLength(1);
    expect(drawn.match(/M/g)?.length).toBeLessThanOrEqual((MINIMAP.columns / 2) * MINIMAP.lanes);
    expect(drawMinimap(plant([]), { fromUs: 0, toUs: 1 })).toEqual({ spans: "", failures: "" });
  });
});
