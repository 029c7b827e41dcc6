import { Link, useLocation, useSearch } from "wouter";
import type { Connection } from "./connection.ts";
import { formatCount } from "../words.ts";

export type PagerProps = {
  page: Connection<unknown>;
  /** What is listed, singular and plural. */
  one: string;
  many: string;
  /** Up to which number the server counts. Default: 10,000. */
  countsUpTo?: number | undefined;
  isOldestFirst?: boolean;
};

/** Labels of the links to the first, previous and next page. */
const WORDS = {
  newestFirst: ["Newest", "Newer", "Older"],
  oldestFirst: ["Oldest", "Older", "Newer"],
} as const;

/** The page's position in the list, and links to the pages around it. */
export function Pager({ page, one, many, countsUpTo = 10_000, isOldestFirst = false }: PagerProps) {
  const [beginning, previous, next] = WORDS[isOldestFirst ? "oldestFirst" : "newestFirst"];
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo;
  const linkTo = usePageLinks();
  if (page.totalCount === 0) return null;
  const total =
    page.totalCount === null
      ? `more than ${formatCount(countsUpTo, one, many)}`
      : formatCount(page.totalCount, one, many);
  return (
    <nav className="pager" aria-label="Pages">
      <p className="small soft">
        {page.nodes.length === page.totalCount ? total : `${page.nodes.length} of ${total}`}
      </p>
      <div className="actions">
        {hasPreviousPage && startCursor !== null && (
          <>
            <Link className="button button-small" href={linkTo({})}>
              {beginning}
            </Link>
            <Link className="button button-small" href={linkTo({ before: startCursor })}>
              {previous}
            </Link>
          </>
        )}
        {hasNextPage && endCursor !== null && (
          <Link className="button button-small" href={linkTo({ after: endCursor })}>
            {next}
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
