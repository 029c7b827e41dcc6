import { LIMITS } from "../domain/kernel/limits.ts";
import { listVersion } from "../domain/kernel/list-version.ts";
import { changeCursor, positionCursor } from "../domain/kernel/cursors.ts";
import type { ListedRow, ListPage, PageArgs } from "../domain/kernel/page.ts";

/** The prototype of edges: defining an accessor on each edge costs as much as the rest of its row. */
const EDGE = Object.defineProperty({}, "cursor", {
  get(this: { node: ListedRow }) {
    return positionCursor(this.node);
  },
});

/** The same for lists ordered by their last change. */
const CHANGED_EDGE = Object.defineProperty({}, "cursor", {
  get(this: { node: Changed }) {
    return changeCursor(this.node);
  },
});

type Changed = ListedRow & { updatedAt: Date | string };

/** Converts a page to a Relay connection. Cursors are computed only if they are selected. */
export function toConnection<Row extends ListedRow>(page: ListPage<Row>) {
  const { nodes, total, hasNextPage, hasPreviousPage, orderedBy } = page;
  return {
    totalCount: total,
    version: listVersion(page),
    edges: nodes.map((node) => toEdge(node, orderedBy)),
    get pageInfo() {
      const [first] = nodes;
      const last = nodes.at(-1);
      return {
        hasNextPage,
        hasPreviousPage,
        startCursor: first === undefined ? null : toEdge(first, orderedBy).cursor,
        endCursor: last === undefined ? null : toEdge(last, orderedBy).cursor,
      };
    },
  };
}

function toEdge<Node extends ListedRow>(
  node: Node,
  orderedBy: ListPage<Node>["orderedBy"],
): { node: Node; cursor: string } {
  // The only property of the prototype is the cursor.
  const edge = Object.create(orderedBy === "updatedAt" ? CHANGED_EDGE : EDGE) as { cursor: string };
  return Object.assign(edge, { node });
}

/** The cost of a page. */
export function pageComplexity({ first, last, all }: PageArgs) {
  const size = first ?? last ?? (all === true ? LIMITS.wholeListPage : LIMITS.pageSize.default);
  return { field: 1, multiplier: Math.min(Math.max(size, 1), LIMITS.wholeListPage) };
}
