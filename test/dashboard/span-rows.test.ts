import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFailures, findMatches, findNext } from "../../src/dashboard/views/traces/tree/find-nodes.ts";
import {
  ALL_FOLDED,
  ALL_OPEN,
  type Folding,
  listRows,
  reveal,
  toggle,
} from "../../src/dashboard/views/traces/tree/folding.ts";
import { move } from "../../src/dashboard/views/traces/tree/move.ts";
import { type TestSpan, anySpans, draw, plant } from "./support/plant-tree.ts";

const SPANS: readonly TestSpan[] = [
  { id: "root", name: "agent" },
  { id: "a", parent: "root", name: "Chat one", start: 1 },
  { id: "a1", parent: "a", name: "tool", start: 2, failed: true },
  { id: "b", parent: "root", name: "chat two", start: 3, failed: true },
];

describe("folding", () => {
  const tree = plant(SPANS);
  const [root = 0, a = 0, a1 = 0] = ["root", "a", "a1"].map((id) => tree.nodes.get(id) ?? -1);

  it("hides what is below a folded span, and shows it again", () => {
    const folded = toggle(tree, ALL_OPEN, a);
    expect(draw(tree, folded)).toEqual(["root", " a", " b"]);
    expect(draw(tree, toggle(tree, folded, a))).toEqual(draw(tree));
    expect(draw(tree, toggle(tree, ALL_FOLDED, root))).toEqual(["root", " a", " b"]);
  });

  it("reveals a span without opening others", () => {
    expect(draw(tree, reveal(tree, toggle(tree, ALL_OPEN, a), a1))).toEqual(draw(tree));
    expect(draw(tree, reveal(tree, ALL_FOLDED, a))).toEqual(["root", " a", " b"]);
  });

  it("shows any node that was revealed, with all nodes above it", () => {
    fc.assert(
      fc.property(anySpans, fc.nat(), fc.array(fc.nat()), (spans, depth, toggles) => {
        const any = plant(spans);
        if (any.ids.length === 0) return;
        let folding: Folding = { ...ALL_OPEN, openDepth: depth % 4 };
        for (const one of toggles) folding = toggle(any, folding, one % any.ids.length);
        const node = depth % any.ids.length;
        const rows = listRows(any, reveal(any, folding, node));
        expect(rows).toContain(node);
        for (const row of rows) {
          const above = any.parent[row] ?? -1;
          expect(above === -1 || rows.includes(above)).toBe(true);
        }
      }),
    );
  });
});

describe("move", () => {
  const tree = plant(SPANS);
  const node = (id: string) => tree.nodes.get(id) ?? -1;
  const press = (key: string, id: string | null, folding = ALL_OPEN) =>
    move(key, { tree, folding, rows: listRows(tree, folding), node: id === null ? null : node(id) });

  it("goes up and down between rows, and stays within them", () => {
    expect(press("ArrowDown", null)).toEqual({ node: node("root") });
    expect(press("ArrowDown", "a1")).toEqual({ node: node("b") });
    expect(press("ArrowDown", "b")).toEqual({ node: node("b") });
    expect(press("ArrowUp", "root")).toEqual({ node: node("root") });
    expect(press("End", "root")).toEqual({ node: node("b") });
    expect(press("x", "root")).toBeNull();
  });

  it("goes into open spans and out of closed ones, and toggles the others", () => {
    expect(press("ArrowRight", "a")).toEqual({ node: node("a1") });
    expect(press("ArrowRight", "a1")).toBeNull();
    expect(press("ArrowRight", "root", ALL_FOLDED)).toBe("toggle");
    expect(press("ArrowLeft", "a")).toBe("toggle");
    expect(press("ArrowLeft", "a1")).toEqual({ node: node("a") });
    expect(press("ArrowLeft", "root", ALL_FOLDED)).toBeNull();
  });
});

describe("finding", () => {
  const tree = plant(SPANS);
  const ids = (nodes: readonly number[]) => nodes.map((node) => tree.ids[node]);

  it("finds spans by part of their name or the beginning of their id", () => {
    expect(ids(findMatches(tree, " CHAT "))).toEqual(["a", "b"]);
    expect(ids(findMatches(tree, "roo"))).toEqual(["root"]);
    expect(findMatches(tree, " ")).toEqual([]);
  });

  it("goes from one failure to the next, and from the last to the first", () => {
    const failures = findFailures(tree);
    const [a1, b] = failures;
    expect(ids(failures)).toEqual(["a1", "b"]);
    expect(findNext(tree, failures, null)).toBe(a1);
    expect(findNext(tree, failures, a1 ?? -1)).toBe(b);
    expect(findNext(tree, failures, b ?? -1)).toBe(a1);
    expect(findNext(tree, [], b ?? -1)).toBeUndefined();
  });
});
