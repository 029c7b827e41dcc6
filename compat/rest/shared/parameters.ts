import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { omitUndefined, uuid } from "./shapes.ts";

/** The range of an integer query parameter. */
type Range = { min: number; max: number; default: number };

/**
 * An integer query parameter: digits only, given at most once, within its range.
 *
 * @see the service document, List endpoints: each list has its own ranges.
 */
export function integer({ min, max, default: fallback }: Range) {
  return optionalInteger({ min, max })
    .transform((value) => value ?? fallback)
    .openapi({ type: "integer", minimum: min, maximum: max, default: fallback });
}

/** An integer query parameter without a default. */
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

export const idParameter = z.strictObject({ id: uuid.openapi({ description: "The id." }) });

export function limitParameter(limit: Range) {
  return integer(limit).openapi({ description: "Maximum number of items to return." });
}

/** `limit` and `offset` of a list. */
export function pageParameters(limit: Range, maxOffset: number) {
  return {
    limit: limitParameter(limit),
    offset: integer({ min: 0, max: maxOffset, default: 0 }).openapi({
      description: "Number of items to skip.",
    }),
  };
}

/** Query parameters of a read that can wait for a change. */
export const poll = z.strictObject({
  current_generation: optionalInteger({ min: 1, max: LIMITS.wholeNumber }).openapi({
    description:
      "The generation you have. With `wait`, the response comes as soon as the generation is different.",
  }),
  wait: integer(LIMITS.pollSeconds).openapi({ description: "Maximum seconds to wait for a change." }),
});

export function toPollInput({ current_generation: currentGeneration, wait }: z.output<typeof poll>) {
  return omitUndefined({ currentGeneration, waitSeconds: wait });
}

export const pagination = z
  .strictObject({
    limit: z.int(),
    offset: z.int(),
    total: z.int().nullable().openapi({
      description: "Exact total, or null if a filter matches more than 10,000.",
    }),
    has_more: z.boolean(),
    next_offset: z.int().nullable().openapi({
      description: "Offset of the next page. Null on the last page, or if it exceeds the maximum offset.",
    }),
  })
  .openapi("Pagination");

export function toPagination(
  page: { limit: number; offset: number; count: number; total: number | null; hasMore: boolean },
  maxOffset: number,
): z.output<typeof pagination> {
  const { limit, offset, count, total, hasMore } = page;
  const next = offset + count;
  return { limit, offset, total, has_more: hasMore, next_offset: hasMore && next <= maxOffset ? next : null };
}

/** A page's place in a list. `next_cursor`: where lists go on that know more than offsets. */
type Place = z.output<typeof pagination> & { next_cursor?: string | null };

/**
 * The Link header of a page: `first`, and `prev` and `next` if they exist.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8288
 */
export function buildLinkHeader(
  url: string,
  { limit, offset, next_offset: next, next_cursor: cursor = null }: Place,
  filters: Record<string, string | number | undefined> = {},
): string {
  const { pathname } = new URL(url);
  const named = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [`&${name}=${encodeURIComponent(value)}`],
  );
  const previous = offset > 0 && limit > 0 ? Math.max(0, offset - limit) : null;
  const onward = next === null && cursor !== null ? `cursor=${cursor}` : toOffset(next);
  const places = { first: toOffset(0), prev: toOffset(previous), next: onward };
  return Object.entries(places)
    .filter(([, to]) => to !== null)
    .map(([rel, to]) => `<${pathname}?limit=${limit}&${to ?? ""}${named.join("")}>; rel="${rel}"`)
    .join(", ");
}

function toOffset(offset: number | null): string | null {
  return offset === null ? null : `offset=${offset}`;
}
