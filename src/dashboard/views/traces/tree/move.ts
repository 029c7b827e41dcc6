import { NONE, at } from "./at.ts";
import type { SpanTree } from "./build-tree.ts";
import { type Folding, isLeaf, isOpen } from "./folding.ts";

/** What a key does: it goes to a node, or toggles the current one. */
export type Move = { node: number } | "toggle" | null;

export type MoveState = {
  tree: SpanTree;
  folding: Folding;
  /** The nodes that are shown. */
  rows: Int32Array;
  /** The current node, which may not be shown. */
  node: number | null;
};

/** What a key does in a tree: up and down to rows, left to the parent, right to the first child. */
export function move(key: string, state: MoveState): Move {
  const { rows, node } = state;
  const place = node === null ? NONE : rows.indexOf(node);
  switch (key) {
    case "ArrowDown":
      return goTo(rows, place + 1);
    case "ArrowUp":
      return goTo(rows, place - 1);
    case "Home":
      return goTo(rows, 0);
    case "End":
      return goTo(rows, rows.length - 1);
    case "ArrowLeft":
      return node === null ? null : moveOut(state, node);
    case "ArrowRight":
      return node === null ? null : moveIn(state, node);
    default:
      return null;
  }
}

function goTo(rows: Int32Array, place: number): Move {
  const node = at(rows, Math.max(0, Math.min(place, rows.length - 1)));
  return node === NONE ? null : { node };
}

function moveOut({ tree, folding }: MoveState, node: number): Move {
  if (!isLeaf(tree, node) && isOpen(tree, folding, node)) return "toggle";
  const parent = at(tree.parent, node);
  return parent === NONE ? null : { node: parent };
}

function moveIn({ tree, folding }: MoveState, node: number): Move {
  if (isLeaf(tree, node)) return null;
  return isOpen(tree, folding, node) ? { node: at(tree.order, at(tree.rank, node) + 1) } : "toggle";
}
