import { z } from "zod";
import { DomainError } from "../kernel/errors.ts";
import { jsonProblem } from "../kernel/input.ts";

/** How two values are compared. @see RFC 7644, 3.4.2.2, table 3. */
export const COMPARISONS = ["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"] as const;

/** One of {@link COMPARISONS}. */
export type FilterComparison = (typeof COMPARISONS)[number];

/** What an attribute is compared with. */
export type Comparable = string | number | boolean | null;

/**
 * A condition on a resource. Paths are attributes' names, outermost first; within `some` they start at
 * the element of the attribute that `some` names.
 *
 * @see RFC 7644, 3.4.2.2.
 */
export type ScimFilter =
  | { kind: "and" | "or"; operands: ScimFilter[] }
  | { kind: "not"; operand: ScimFilter }
  | { kind: "present"; path: string[] }
  | { kind: "compare"; path: string[]; comparison: FilterComparison; value: Comparable }
  | { kind: "some"; path: string[]; where: ScimFilter };

/** How large a filter may be. */
export const FILTER_LIMITS = { length: 4096, depth: 30, nodes: 200, bytes: 65_536 } as const;

const path = z.array(z.string()).min(1).max(4);

const shape: z.ZodType<ScimFilter> = z.lazy(() =>
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.enum(["and", "or"]), operands: z.array(shape).min(1) }),
    z.strictObject({ kind: z.literal("not"), operand: shape }),
    z.strictObject({ kind: z.literal("present"), path }),
    z.strictObject({
      kind: z.literal("compare"),
      path,
      comparison: z.enum(COMPARISONS),
      value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
    }),
    z.strictObject({ kind: z.literal("some"), path, where: shape }),
  ]),
);

/**
 * Reads a filter that was sent as JSON.
 *
 * @throws {DomainError} invalid_filter for what is none, or is too large.
 */
export function parseFilter(value: unknown): ScimFilter {
  // Before zod: what is nested too deep would overflow its stack.
  const problem = jsonProblem(value, FILTER_LIMITS.bytes);
  if (problem !== null) throw createFilterError(`The filter ${problem}.`);
  const parsed = shape.safeParse(value);
  if (!parsed.success) throw createFilterError("This is not a filter.");
  requireBounded(parsed.data);
  return parsed.data;
}

/**
 * Holds a filter to the limits of depth and of nodes.
 *
 * @throws {DomainError} invalid_filter.
 */
export function requireBounded(filter: ScimFilter): void {
  countParts(filter);
}

/**
 * Counts the parts of a filter, which has at most `FILTER_LIMITS.nodes`.
 *
 * @throws {DomainError} invalid_filter for one that is larger, or nested too deep.
 */
export function countParts(filter: ScimFilter): number {
  const waiting = [{ filter, depth: 1 }];
  for (let nodes = 1; ; nodes++) {
    const next = waiting.pop();
    if (next === undefined) return nodes - 1;
    if (nodes > FILTER_LIMITS.nodes)
      throw createFilterError(`A filter has at most ${FILTER_LIMITS.nodes} parts.`);
    if (next.depth > FILTER_LIMITS.depth) {
      throw createFilterError(`A filter is nested at most ${FILTER_LIMITS.depth} deep.`);
    }
    waiting.push(...listOperands(next.filter).map((inner) => ({ filter: inner, depth: next.depth + 1 })));
  }
}

function listOperands(filter: ScimFilter): ScimFilter[] {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.operands;
    case "not":
      return [filter.operand];
    case "some":
      return [filter.where];
    case "present":
    case "compare":
      return [];
  }
}

/** The refusal of a filter. @see RFC 7644, 3.12. */
export function createFilterError(detail: string): DomainError {
  return new DomainError("invalid_filter", detail, { field: "filter" });
}
