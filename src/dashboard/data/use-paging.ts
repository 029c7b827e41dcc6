import { useSearch } from "wouter";

/** The page of a list that the address names, as the arguments of a connection. */
export type PageVariables = {
  first: number | null;
  after: string | null;
  last: number | null;
  before: string | null;
};

/** How many rows a page has: as many as the server gives at once. */
const PAGE_SIZE = 100;

/** Reads which page of a list the address names: the first where it names none. */
export function usePaging(size = PAGE_SIZE): PageVariables {
  const params = new URLSearchParams(useSearch());
  const before = params.get("before");
  if (before !== null) return { first: null, after: null, last: size, before };
  return { first: size, after: params.get("after"), last: null, before: null };
}
