import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { omitUndefined, uuid } from "./shapes.ts";

/** The range of a whole number in a query. */
type Range = { min: number; max: number; default: number };

/**
 * A whole number in a query: digits and nothing else, once, within its range.
 *
 * @see the service document, List endpoints: each list has its own ranges.
 */
export function integer({ min, max, default: fallback }: Range) {
  return optionalInteger({ min, max })
    .transform((value) => value ?? fallback)
    .openapi({ type: "integer", minimum: min, maximum: max, default: fallback });
}

/** The same where nothing stands for what is left out. */
export function optionalInteger({ min, max }: Omit<Range, "default">) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string({ error: message })
    .regex(/^[0-9]+$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .optional()
    .openapi({ type: "integer", minimum: min, maximum: max });
}

/** The one thing that a path names. */
export const idParameter = z.strictObject({ id: uuid.openapi({ description: "Its id." }) });

/** How many of a list a query asks for. */
export function limitParameter(limit: Range) {
  return integer(limit).openapi({ description: "How many to answer at most." });
}

/** The part of a list that a query asks for. */
export function pageParameters(limit: Range, maxOffset: number) {
  return {
    limit: limitParameter(limit),
    offset: integer({ min: 0, max: maxOffset, default: 0 }).openapi({
      description: "How many to leave out from the list's beginning.",
    }),
  };
}

/** How a read of one thing waits until it changes. */
export const poll = z.strictObject({
  current_generation: optionalInteger({ min: 1, max: LIMITS.wholeNumber }).openapi({
    description: "The generation that you have: with `wait`, the answer comes when there is another.",
  }),
  wait: integer(LIMITS.pollSeconds).openapi({ description: "Seconds to wait for that at most." }),
});

/** The same as the schema spells it. */
export function toPollInput({ current_generation: currentGeneration, wait }: z.output<typeof poll>) {
  return omitUndefined({ currentGeneration, waitSeconds: wait });
}

/** A page's place in a list, as `pagination` tells it. */
export const pagination = z
  .strictObject({
    limit: z.int(),
    offset: z.int(),
    total: z.int().nullable().openapi({
      description: "How many there are in all. Exact; null for more than 10,000 matches of a filter.",
    }),
    has_more: z.boolean(),
    next_offset: z
      .int()
      .nullable()
      .openapi({ description: "Where the rest begins; null at the end, and where no offset can reach it." }),
  })
  .openapi("Pagination");

/** Tells where a page stands in its list. */
export function toPagination(
  page: { limit: number; offset: number; count: number; total: number | null; hasMore: boolean },
  maxOffset: number,
): z.output<typeof pagination> {
  const { limit, offset, count, total, hasMore } = page;
  const next = offset + count;
  return { limit, offset, total, has_more: hasMore, next_offset: hasMore && next <= maxOffset ? next : null };
}

/**
 * The Link header of a page: the first, the one before and the one after, where there are such.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8288
 */
export function buildLinkHeader(
  url: string,
  { limit, offset, next_offset: next }: z.output<typeof pagination>,
  filters: Record<string, string | undefined> = {},
): string {
  const { pathname } = new URL(url);
  const named = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [`&${name}=${encodeURIComponent(value)}`],
  );
  const previous = offset > 0 && limit > 0 ? Math.max(0, offset - limit) : null;
  const offsets = { first: 0, prev: previous, next };
  return Object.entries(offsets)
    .filter(([, to]) => to !== null)
    .map(([rel, to]) => `<${pathname}?limit=${limit}&offset=${to ?? 0}${named.join("")}>; rel="${rel}"`)
    .join(", ");
}
