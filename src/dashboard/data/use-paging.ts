import { useSearch } from "wouter";

/** The current page of a list, from the URL, as arguments of a connection. */
export type PageVariables = {
  first: number | null;
  after: string | null;
  last: number | null;
  before: string | null;
};

/** Rows per page: the server's maximum. */
const PAGE_SIZE = 100;

/** Reads the current page from the URL. Default: the first page. */
export function usePaging(size = PAGE_SIZE): PageVariables {
  const params = new URLSearchParams(useSearch());
  const before = params.get("before");
  if (before !== null) return { first: null, after: null, last: size, before };
  return { first: size, after: params.get("after"), last: null, before: null };
}
