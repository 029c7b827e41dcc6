import { NONE, at } from "./at.ts";
import type { SpanTree } from "./build-tree.ts";

/** Which nodes show their children: by depth, but for those that were toggled. */
export type Folding = {
  /** Nodes less deep are open. */
  openDepth: number;
  /** Ids of nodes that are not as their depth says. */
  toggled: ReadonlySet<string>;
};

/** More nodes than this are not shown all at once. */
const LARGE = 500;
const LARGE_DEPTH = 3;

export const ALL_OPEN: Folding = { openDepth: Infinity, toggled: new Set() };
export const ALL_FOLDED: Folding = { openDepth: 0, toggled: new Set() };

/** What is open at first. */
export function createFolding(tree: SpanTree): Folding {
  return tree.order.length > LARGE ? { ...ALL_OPEN, openDepth: LARGE_DEPTH } : ALL_OPEN;
}

export function isOpen(tree: SpanTree, { openDepth, toggled }: Folding, node: number): boolean {
  return at(tree.depth, node) < openDepth !== toggled.has(tree.ids[node] ?? "");
}

export function isLeaf({ weight }: SpanTree, node: number): boolean {
  return at(weight, node) === 1;
}

/** Opens a node, or folds it. */
export function toggle(tree: SpanTree, folding: Folding, node: number): Folding {
  const toggled = new Set(folding.toggled);
  const id = tree.ids[node] ?? "";
  if (!toggled.delete(id)) toggled.add(id);
  return { ...folding, toggled };
}

/** Opens whatever hides a node. */
export function reveal(tree: SpanTree, folding: Folding, node: number): Folding {
  const folded: string[] = [];
  for (let above = at(tree.parent, node); above !== NONE; above = at(tree.parent, above)) {
    if (!isOpen(tree, folding, above)) folded.push(tree.ids[above] ?? "");
  }
  if (folded.length === 0) return folding;
  const toggled = new Set(folding.toggled);
  for (const id of folded) if (!toggled.delete(id)) toggled.add(id);
  return { ...folding, toggled };
}

/** The nodes that are shown, from top to bottom. */
export function listRows(tree: SpanTree, folding: Folding): Int32Array {
  const rows = new Int32Array(tree.order.length);
  let count = 0;
  for (let place = 0; place < tree.order.length; count++) {
    const node = at(tree.order, place);
    rows[count] = node;
    place += isOpen(tree, folding, node) ? 1 : at(tree.weight, node);
  }
  return rows.subarray(0, count);
}
