import { listVersion } from "../domain/kernel/list-version.ts";
import {
  changeCursor,
  type ListedRow,
  type ListPage,
  type PageArgs,
  positionCursor,
} from "../domain/kernel/page.ts";

/** What edges inherit: an accessor of each edge's own would cost as much as the rest of its row. */
const EDGE = Object.defineProperty({}, "cursor", {
  get(this: { node: ListedRow }) {
    return positionCursor(this.node);
  },
});

/** The same in the order of the last change. */
const CHANGED_EDGE = Object.defineProperty({}, "cursor", {
  get(this: { node: Changed }) {
    return changeCursor(this.node);
  },
});

type Changed = ListedRow & { updatedAt: Date | string };

/** A page as Relay wants it. Cursors are made only where they are asked for. */
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
  // The prototype has the cursor, and nothing else.
  const edge = Object.create(orderedBy === "updatedAt" ? CHANGED_EDGE : EDGE) as { cursor: string };
  return Object.assign(edge, { node });
}

/** How many times a page's fields count towards a query's complexity; a whole list counts as a long one. */
export function pageComplexity({ first, last, all }: PageArgs) {
  const size = first ?? last ?? (all === true ? 1000 : 50);
  return { field: 1, multiplier: Math.min(Math.max(size, 1), 1000) };
}
