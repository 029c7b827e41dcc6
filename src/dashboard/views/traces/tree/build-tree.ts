import { NONE, at } from "./at.ts";
import { type Parents, linkParents } from "./link-parents.ts";
import { type Times, measureTimes } from "./measure-times.ts";
import type { SpanColumns } from "./span-columns.ts";

/**
 * The spans of a trace as a tree. Nodes are numbers: first the spans, in the order of the columns, then the parents
 * that have not arrived.
 */
export type SpanTree = Parents &
  Times & {
    spans: SpanColumns;
    /** The nodes from top to bottom: each before its children, children by when they started. */
    order: Int32Array;
    /** The place of each node in `order`. */
    rank: Int32Array;
    depth: Int32Array;
    /** How many nodes each one's subtree has, with itself. */
    weight: Int32Array;
    /** How many spans of the subtree failed. */
    failures: Int32Array;
    /** How many spans go on, as far as is known. */
    openCount: number;
  };

/** Builds the tree of any spans, without recursion. */
export function buildTree(spans: SpanColumns): SpanTree {
  const parents = linkParents(spans);
  const times = measureTimes(spans, parents.parent);
  const { parent } = parents;
  const links = linkChildren(parent, times.startUs);
  const [order, rank, depth] = orderNodes(parent, links);
  const weight = new Int32Array(parent.length).fill(1);
  const failures = Int32Array.from(parent, (_, node) => (spans.status[node] === "error" ? 1 : 0));
  // From the bottom to the top, so that the children of each node are complete.
  for (const node of order.toReversed()) {
    const above = at(parent, node);
    if (above === NONE) continue;
    weight[above] = at(weight, above) + at(weight, node);
    failures[above] = at(failures, above) + at(failures, node);
  }
  const openCount = spans.duration_us.filter(
    (duration, node) => duration === null && spans.status[node] !== "lost",
  ).length;
  return { ...parents, ...times, spans, order, rank, depth, weight, failures, openCount };
}

/** The first root, the first child and the next sibling of each node. */
type Links = { root: number; child: Int32Array; sibling: Int32Array };

/** Links the children of each node by when they started. */
function linkChildren(parent: Int32Array, startUs: Float64Array): Links {
  const child = new Int32Array(parent.length).fill(NONE);
  const sibling = new Int32Array(parent.length).fill(NONE);
  let root = NONE;
  const latestFirst = Int32Array.from(parent, (_, node) => node).toSorted(
    (a, b) => (startUs[b] ?? 0) - (startUs[a] ?? 0) || b - a,
  );
  for (const node of latestFirst) {
    const above = at(parent, node);
    sibling[node] = above === NONE ? root : at(child, above);
    if (above === NONE) root = node;
    else child[above] = node;
  }
  return { root, child, sibling };
}

/** Walks through the tree: down to children, on to siblings, and up where there are none. */
function orderNodes(
  parent: Int32Array,
  { root, child, sibling }: Links,
): [order: Int32Array, rank: Int32Array, depth: Int32Array] {
  const order = new Int32Array(parent.length);
  const rank = new Int32Array(parent.length);
  const depth = new Int32Array(parent.length);
  let node = root;
  for (let place = 0; node !== NONE; place++) {
    order[place] = node;
    rank[node] = place;
    const above = at(parent, node);
    depth[node] = above === NONE ? 0 : at(depth, above) + 1;
    if (at(child, node) !== NONE) {
      node = at(child, node);
      continue;
    }
    while (node !== NONE && at(sibling, node) === NONE) node = at(parent, node);
    node = at(sibling, node);
  }
  return [order, rank, depth];
}
