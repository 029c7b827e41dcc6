import { LIMITS } from "../../domain/kernel/limits.ts";
import { type Html, html } from "../html.ts";

/** The position of a page in a list. */
export type PageInfo = {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
};

/** The part of a list to read. */
export type PageRequest = { first?: number; after?: string; last?: number; before?: string };

/** URLs of the previous and next page, or null. */
export type PageLinks = { previous: string | null; next: string | null };

const SIZE = 25;
const MAX_OFFSET = 100_000;

/** Parses ?after= or ?before=. Default: the first page. */
export function parsePageRequest({ after, before }: Record<string, string>): PageRequest {
  if (before !== undefined && before !== "") return { last: SIZE, before };
  return after !== undefined && after !== "" ? { first: SIZE, after } : { first: SIZE };
}

/** Links to the pages around one read by cursor. `query` holds the current filters. */
export function toCursorLinks(info: PageInfo, query: Record<string, string> = {}): PageLinks {
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = info;
  return {
    previous:
      hasPreviousPage && startCursor !== null ? toQueryString({ ...query, before: startCursor }) : null,
    next: hasNextPage && endCursor !== null ? toQueryString({ ...query, after: endCursor }) : null,
  };
}

/** Parses ?offset=. Requests one extra row, to know if there is a next page. */
export function parseOffset({ offset }: Record<string, string>): { first: number; offset: number } {
  const asked = offset !== undefined && /^\d{1,6}$/.test(offset) ? Number(offset) : 0;
  return { first: SIZE + 1, offset: Math.min(asked, MAX_OFFSET) };
}

/** The rows for a request of {@link parseOffset}, with links to the pages around them. */
export function toOffsetPage<Row>(
  rows: readonly Row[],
  offset: number,
): { rows: readonly Row[]; links: PageLinks } {
  const previous = offset === 0 ? null : toQueryString({ offset: String(Math.max(0, offset - SIZE)) });
  const next = rows.length > SIZE ? toQueryString({ offset: String(offset + SIZE) }) : null;
  return { rows: rows.slice(0, SIZE), links: { previous, next } };
}

/** Previous and next links with a note about the list, or null if there is nothing to show. */
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

/** A count such as `1 member` or `2 members`. "" for 0; null means more than were counted. */
export function formatCount(count: number | null, one: string): string {
  if (count === 0) return "";
  if (count === null) return `Over ${LIMITS.countedMatches.toLocaleString("en")} ${one}s`;
  return `${count.toLocaleString("en")} ${count === 1 ? one : `${one}s`}`;
}

function toQueryString(query: Record<string, string>): string {
  const given = Object.entries(query).filter(([, value]) => value !== "");
  return `?${new URLSearchParams(given).toString()}`;
}
