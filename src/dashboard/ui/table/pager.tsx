import { Link, useLocation, useSearch } from "wouter";
import type { Connection } from "./connection.ts";
import { countOf } from "../words.ts";

/** Where the page stands in its list, and the links to its neighbours. */
export function Pager({ page, one, many }: { page: Connection<unknown>; one: string; many: string }) {
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo;
  const linkTo = usePageLinks();
  const total =
    page.totalCount === null
      ? `more than ${countOf(10_000, one, many)}`
      : countOf(page.totalCount, one, many);
  return (
    <nav className="pager" aria-label="Pages">
      <p className="small soft">
        {page.nodes.length === page.totalCount ? total : `${page.nodes.length} of ${total}`}
      </p>
      <div className="actions">
        {hasPreviousPage && startCursor !== null && (
          <>
            <Link className="button button-small" href={linkTo({})}>
              Newest
            </Link>
            <Link className="button button-small" href={linkTo({ before: startCursor })}>
              Newer
            </Link>
          </>
        )}
        {hasNextPage && endCursor !== null && (
          <Link className="button button-small" href={linkTo({ after: endCursor })}>
            Older
          </Link>
        )}
      </div>
    </nav>
  );
}

function usePageLinks(): (page: Record<string, string>) => string {
  const [here] = useLocation();
  const search = useSearch();
  return (page) => {
    const params = new URLSearchParams(search);
    for (const name of ["after", "before"]) params.delete(name);
    for (const [name, cursor] of Object.entries(page)) params.set(name, cursor);
    const query = params.toString();
    return query === "" ? here : `${here}?${query}`;
  };
}
