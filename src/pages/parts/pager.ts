import { LIMITS } from "../../domain/kernel/limits.ts";
import { type Html, html } from "../html.ts";

/** Where a page of a list stands. */
export type PageInfo = {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
};

/** Which part of a list an address asks for. */
export type PageRequest = { first?: number; after?: string; last?: number; before?: string };

/** The addresses of the pages around one; null where there is none. */
export type PageLinks = { previous: string | null; next: string | null };

const SIZE = 25;
const MAX_OFFSET = 100_000;

/** The part of a list that an address asks for by ?after= or ?before=; else its first page. */
export function parsePageRequest({ after, before }: Record<string, string>): PageRequest {
  if (before !== undefined && before !== "") return { last: SIZE, before };
  return after !== undefined && after !== "" ? { first: SIZE, after } : { first: SIZE };
}

/** The pages around one that was asked for by cursor. `query` is what the address filters by. */
export function toCursorLinks(info: PageInfo, query: Record<string, string> = {}): PageLinks {
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = info;
  return {
    previous:
      hasPreviousPage && startCursor !== null ? toQueryString({ ...query, before: startCursor }) : null,
    next: hasNextPage && endCursor !== null ? toQueryString({ ...query, after: endCursor }) : null,
  };
}

/** The part of a list that an address asks for by ?offset=, and one row more, which tells whether it goes on. */
export function parseOffset({ offset }: Record<string, string>): { first: number; offset: number } {
  const asked = offset !== undefined && /^\d{1,6}$/.test(offset) ? Number(offset) : 0;
  return { first: SIZE + 1, offset: Math.min(asked, MAX_OFFSET) };
}

/** A page of what {@link parseOffset} has asked for, and the pages around it. */
export function toOffsetPage<Row>(
  rows: readonly Row[],
  offset: number,
): { rows: readonly Row[]; links: PageLinks } {
  const previous = offset === 0 ? null : toQueryString({ offset: String(Math.max(0, offset - SIZE)) });
  const next = rows.length > SIZE ? toQueryString({ offset: String(offset + SIZE) }) : null;
  return { rows: rows.slice(0, SIZE), links: { previous, next } };
}

/** The way to the pages around this one, beside a word about the whole list; nothing where it is one page of nothing. */
export function pager({ previous, next }: PageLinks, about: string): Html | null {
  if (about === "" && previous === null && next === null) return null;
  return html`<nav class="pager" aria-label="Pages">
    <p class="soft small">${about}</p>
    ${
      (previous !== null || next !== null) &&
      html`<div class="actions">
        ${previous !== null && html`<a class="button button-small" rel="prev" href="${previous}">Previous</a>`}
        ${next !== null && html`<a class="button button-small" rel="next" href="${next}">Next</a>`}
      </div>`
    }
  </nav>`;
}

/** How many there are, with its word: `1 member`, `2 members`; for none nothing. Null is more than were counted. */
export function formatCount(count: number | null, one: string): string {
  if (count === 0) return "";
  if (count === null) return `Over ${LIMITS.countedMatches.toLocaleString("en")} ${one}s`;
  return `${count.toLocaleString("en")} ${count === 1 ? one : `${one}s`}`;
}

function toQueryString(query: Record<string, string>): string {
  const given = Object.entries(query).filter(([, value]) => value !== "");
  return `?${new URLSearchParams(given).toString()}`;
}
