import { TABLES } from "../../db/columns.ts";
import type { Trace } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";
import { findNameEnd } from "./search/find-name-end.ts";
import { parseSearchCursor, writeSearchCursor } from "./search/search-position.ts";
import { type FoundTraces, searchTraces } from "./search/search-traces.ts";
import { type ParsedTraceFilter, type TraceFilter, parseTraceFilter } from "./trace-filter.ts";

/** A page of traces. Of a search, it may be short although it isn't the last one. */
export type TracePage = ListPage<Trace> & {
  /** Where a search goes on. Null without one, and at its end. */
  searchCursor: string | null;
  /** Up to when a search came that stopped before it found a whole page. */
  searchedUntil: Date | null;
};

/**
 * Lists traces, those that began to arrive last first. Without `plumbing`, only those with a span that says what kind
 * of an agent's work it is, or that failed. Filters that no index answers search, forwards only and without a total.
 *
 * @throws {DomainError} insufficient_scope without `traces:read`; validation_failed for a page out of range or an
 *   invalid filter.
 */
export async function listTraces(ctx: Ctx, page: PageArgs, filter: TraceFilter = {}): Promise<TracePage> {
  requireScope(ctx, "traces:read");
  const { listed, search } = parseTraceFilter(filter);
  if (search !== null) return readFound(ctx, page, await find(ctx, page, search));
  const list = { table: TABLES.trace, collection: null, countUpTo: LIMITS.countedMatches };
  const found = await readPage<Trace>(ctx, { ...list, filter: listed, page });
  return { ...found, searchCursor: null, searchedUntil: null };
}

async function find(
  ctx: Ctx,
  page: PageArgs,
  { indexed, tried, span }: NonNullable<ParsedTraceFilter["search"]>,
): Promise<FoundTraces> {
  for (const field of ["last", "before", "offset"] as const) {
    if (page[field] !== null && page[field] !== undefined && page[field] !== 0) {
      throw createFieldError(field, "can't be combined with a search. Use first and after");
    }
  }
  const after = typeof page.after === "string" ? parseSearchCursor(page.after) : null;
  const end = typeof span?.name === "string" ? await findNameEnd(ctx, span.name) : null;
  if (end === "never") return { ids: [], next: null, searchedUntil: null };
  return searchTraces(ctx, {
    tried,
    span,
    after,
    indexed: (param) => [
      ...indexed(param),
      ...(end === null ? [] : [`created_at < ${param(end)}::timestamptz`]),
    ],
    limit: page.first ?? LIMITS.pageSize.default,
  });
}

async function readFound(
  ctx: Ctx,
  { first }: PageArgs,
  { ids, next, searchedUntil }: FoundTraces,
): Promise<TracePage> {
  const found = await readPage<Trace>(ctx, {
    table: TABLES.trace,
    collection: null,
    page: { first },
    filter: (param) => [`id = ANY(${param(ids)}::uuid[])`],
  });
  return {
    ...found,
    total: null,
    hasNextPage: next !== null,
    hasPreviousPage: false,
    searchCursor: next === null ? null : writeSearchCursor(next),
    searchedUntil,
  };
}
