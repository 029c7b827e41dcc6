import { listVersion } from "../domain/list-version.ts";
import { type Listed, type Page, type PageRequest, positionCursor } from "../domain/page.ts";

/** A page as Relay wants it. Cursors are made only where they are asked for. */
export function toConnection<Row extends Listed>(page: Page<Row>) {
  const { nodes, total, hasNextPage, hasPreviousPage, epoch, version } = page;
  return {
    totalCount: total,
    version: listVersion(epoch, version),
    edges: nodes.map((node) => ({
      node,
      get cursor() {
        return positionCursor(node);
      },
    })),
    get pageInfo() {
      const [first] = nodes;
      const last = nodes.at(-1);
      return {
        hasNextPage,
        hasPreviousPage,
        startCursor: first === undefined ? null : positionCursor(first),
        endCursor: last === undefined ? null : positionCursor(last),
      };
    },
  };
}

/** How many times a page's fields count towards a query's complexity; a whole list counts as a long one. */
export function pageComplexity({ first, last, all }: PageRequest) {
  const size = first ?? last ?? (all === true ? 1000 : 50);
  return { field: 1, multiplier: Math.min(Math.max(size, 1), 1000) };
}
