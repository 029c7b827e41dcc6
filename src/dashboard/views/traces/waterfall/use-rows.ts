import { useMemo, useState } from "react";
import type { SpanTree } from "../tree/build-tree.ts";
import { type Folding, createFolding, listRows, reveal, toggle } from "../tree/folding.ts";

/** The rows of a waterfall: what is folded, and the current one. */
export type Rows = {
  folding: Folding;
  /** The nodes that are shown, from top to bottom. */
  shown: Int32Array;
  /** The current node, or null. */
  node: number | null;
  /** Changes with each way to a node, also to the same one. */
  way: object | null;
  fold: (folding: Folding) => void;
  toggle: (node: number) => void;
  /** Makes a node the current one, and opens what hides it. */
  goTo: (node: number) => void;
};

/** Keeps them by the ids of spans, so that they stay when more spans arrive. */
export function useRows(tree: SpanTree, chosen: string): Rows {
  const [folding, setFolding] = useState(() => openTo(tree, chosen));
  const [current, setCurrent] = useState<{ id: string } | null>(chosen === "" ? null : { id: chosen });
  const shown = useMemo(() => listRows(tree, folding), [tree, folding]);
  return {
    folding,
    shown,
    node: current === null ? null : (tree.nodes.get(current.id) ?? null),
    way: current,
    fold: setFolding,
    toggle: (node) => setFolding(toggle(tree, folding, node)),
    goTo: (node) => {
      setFolding(reveal(tree, folding, node));
      setCurrent({ id: tree.ids[node] ?? "" });
    },
  };
}

function openTo(tree: SpanTree, chosen: string): Folding {
  const node = tree.nodes.get(chosen);
  const folding = createFolding(tree);
  return node === undefined ? folding : reveal(tree, folding, node);
}
