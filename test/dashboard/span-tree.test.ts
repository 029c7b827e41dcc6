import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ALL_FOLDED,
  createFolding,
  listRows,
  reveal,
} from "../../src/dashboard/views/traces/tree/folding.ts";
import { getNodeName } from "../../src/dashboard/views/traces/tree/get-node-name.ts";
import { joinPages, mergeSpans } from "../../src/dashboard/views/traces/tree/span-columns.ts";
import { anySpans, draw, plant, toColumns } from "./support/plant-tree.ts";

describe("buildTree", () => {
  it("puts children below their parents, those first that started first", () => {
    const tree = plant([
      { id: "late", parent: "root", start: 30 },
      { id: "root" },
      { id: "leaf", parent: "early", start: 12, failed: true },
      { id: "early", parent: "root", start: 10 },
    ]);
    expect(draw(tree)).toEqual(["root", " early", "  leaf", " late"]);
    expect([...tree.order].map((node) => [tree.weight[node], tree.failures[node]])).toEqual([
      [4, 1],
      [2, 1],
      [1, 1],
      [1, 0],
    ]);
  });

  it("puts spans whose parent is missing below a node for it, which is as long as they are together", () => {
    const tree = plant([
      { id: "b", parent: "gone", start: 20, duration: 30 },
      { id: "a", parent: "gone", start: 5, duration: 10 },
    ]);
    expect(draw(tree)).toEqual(["gone", " a", " b"]);
    expect(getNodeName(tree, 2)).toBe("missing parent gone");
    expect([tree.startUs[2], tree.endUs[2]]).toEqual([5, 50]);
  });

  it("cuts cycles at the span that started first", () => {
    const tree = plant([
      { id: "self", parent: "self", start: 9 },
      { id: "c", parent: "b", start: 3 },
      { id: "a", parent: "c", start: 2 },
      { id: "b", parent: "a", start: 1 },
      { id: "below", parent: "a", start: 4 },
    ]);
    expect(draw(tree)).toEqual(["b", " c", "  a", "   below", "self"]);
    expect(tree.cut).toEqual(new Set([0, 3]));
  });

  it("has each span of any trace once, below its parent, whatever the order of the spans", () => {
    fc.assert(
      fc.property(anySpans, fc.infiniteStream(fc.nat()), (spans, keys) => {
        const tree = plant(spans);
        expect([...tree.order].toSorted((a, b) => a - b)).toEqual(tree.ids.map((_, node) => node));
        for (const [node, { parent }] of spans.entries()) {
          const above = tree.parent[node] ?? -1;
          if (tree.cut.has(node) || parent === null) expect(above).toBe(-1);
          else expect(tree.ids[above]).toBe(parent);
          if (above !== -1) expect(tree.rank[node]).toBeGreaterThan(tree.rank[above] ?? NaN);
        }
        const starts = new Set(spans.map(({ start }) => start));
        const shuffled = spans
          .map((span) => [keys.next().value, span] as const)
          .toSorted(([a], [b]) => a - b)
          .map(([, span]) => span);
        if (starts.size === spans.length) expect(draw(plant(shuffled))).toEqual(draw(tree));
      }),
    );
  });

  it("builds a chain of 100,000 spans", () => {
    const count = 100_000;
    const chain = Array.from({ length: count }, (_, i) => ({
      ...{ id: `${i}`, parent: i === 0 ? null : `${i - 1}`, start: i },
    }));
    const tree = plant(chain.toReversed());
    expect(tree.depth[0]).toBe(count - 1);
    expect(tree.weight[count - 1]).toBe(count);
    expect(listRows(tree, createFolding(tree))).toHaveLength(4);
    expect(listRows(tree, reveal(tree, ALL_FOLDED, 0))).toHaveLength(count);
  });
});

describe("joinPages", () => {
  it("joins the lists of names of pages", () => {
    const [a, b] = [
      toColumns([{ id: "1", name: "x" }]),
      toColumns([
        { id: "2", name: "y" },
        { id: "3", name: "x" },
      ]),
    ];
    const joined = joinPages([a, b]);
    expect(joined.id).toEqual(["1", "2", "3"]);
    expect(joined.name.map((place) => joined.names[place])).toEqual(["x", "y", "x"]);
    expect(joined.names).toHaveLength(2);
  });
});

describe("mergeSpans", () => {
  it("adds spans, and replaces those that came again", () => {
    const known = toColumns([
      { id: "1", name: "x", duration: null },
      { id: "2", name: "y", model: "m", tokens: 5 },
    ]);
    const ended = toColumns([{ id: "1", name: "x", duration: 7, model: "n", tokens: 9 }]);
    const merged = mergeSpans(known, [ended, toColumns([{ id: "3", name: "z", parent: "1" }])]);
    const read = merged.id.map((id, at) => [
      ...[id, merged.names[merged.name[at] ?? -1], merged.parent[at], merged.duration_us[at]],
      ...[merged.models[merged.model[at] ?? -1], merged.tokens[at]],
    ]);
    expect(read).toEqual([
      ["1", "x", null, 7, "n", 9],
      ["2", "y", null, 10, "m", 5],
      ["3", "z", "1", 10, undefined, null],
    ]);
  });
});
