import { listVersion } from "../domain/list-version.ts";
import { changeCursor, type Listed, type Page, type PageRequest, positionCursor } from "../domain/page.ts";

/** What edges inherit: an accessor of each edge's own would cost as much as the rest of its row. */
const EDGE = Object.defineProperty({}, "cursor", {
  get(this: { node: Listed }) {
    return positionCursor(this.node);
  },
});

/** The same in the order of the last change. */
const CHANGED_EDGE = Object.defineProperty({}, "cursor", {
  get(this: { node: Changed }) {
    return changeCursor(this.node);
  },
});

type Changed = Listed & { updatedAt: Date | string };

/** A page as Relay wants it. Cursors are made only where they are asked for. */
export function toConnection<Row extends Listed>(page: Page<Row>) {
  const { nodes, total, hasNextPage, hasPreviousPage, orderedBy } = page;
  return {
    totalCount: total,
    version: listVersion(page),
    edges: nodes.map((node) => edgeOf(node, orderedBy)),
    get pageInfo() {
      const [first] = nodes;
      const last = nodes.at(-1);
      return {
        hasNextPage,
        hasPreviousPage,
        startCursor: first === undefined ? null : edgeOf(first, orderedBy).cursor,
        endCursor: last === undefined ? null : edgeOf(last, orderedBy).cursor,
      };
    },
  };
}

function edgeOf<Node extends Listed>(
  node: Node,
  orderedBy: Page<Node>["orderedBy"],
): { node: Node; cursor: string } {
  // The prototype has the cursor, and nothing else.
  const edge = Object.create(orderedBy === "updatedAt" ? CHANGED_EDGE : EDGE) as { cursor: string };
  return Object.assign(edge, { node });
}

/** How many times a page's fields count towards a query's complexity; a whole list counts as a long one. */
export function pageComplexity({ first, last, all }: PageRequest) {
  const size = first ?? last ?? (all === true ? 1000 : 50);
  return { field: 1, multiplier: Math.min(Math.max(size, 1), 1000) };
}
