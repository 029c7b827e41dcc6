import { NONE, at } from "./at.ts";
import type { SpanColumns } from "./span-columns.ts";

/** Whose child each node is. */
export type Parents = {
  /** The nodes' ids: those of the spans, then those of parents that have not arrived. */
  ids: string[];
  /** The nodes by id. */
  nodes: Map<string, number>;
  /** The parent of each node. */
  parent: Int32Array;
  /** Spans that are shown as roots because they are their own ancestors. */
  cut: Set<number>;
};

/** Finds the parents of spans. A parent that has not arrived is a node of its own. No span is its own ancestor. */
export function linkParents({ id, parent: parentIds, start_us }: SpanColumns): Parents {
  const ids = [...id];
  const nodes = new Map(ids.map((one, node) => [one, node]));
  const links = parentIds.map((parentId) => {
    if (parentId === null) return NONE;
    const known = nodes.get(parentId);
    if (known !== undefined) return known;
    const node = ids.push(parentId) - 1;
    nodes.set(parentId, node);
    return node;
  });
  const parent = new Int32Array(ids.length).fill(NONE);
  parent.set(links);
  return { ids, nodes, parent, cut: cutCycles(parent, start_us) };
}

/** Makes the span of each cycle that started first a root. */
function cutCycles(parent: Int32Array, start: readonly number[]): Set<number> {
  const cut = new Set<number>();
  // In which walk from a node to its root a node was first met.
  const walks = new Int32Array(parent.length).fill(NONE);
  for (let walk = 0; walk < parent.length; walk++) {
    let node = walk;
    while (node !== NONE && at(walks, node) === NONE) {
      walks[node] = walk;
      node = at(parent, node);
    }
    if (node === NONE || at(walks, node) !== walk) continue;
    const first = findFirst(parent, start, node);
    parent[first] = NONE;
    cut.add(first);
  }
  return cut;
}

/** The node of a cycle that started first. */
function findFirst(parent: Int32Array, start: readonly number[], from: number): number {
  let first = from;
  for (let node = at(parent, from); node !== from; node = at(parent, node)) {
    if ((start[node] ?? 0) < (start[first] ?? 0)) first = node;
  }
  return first;
}
