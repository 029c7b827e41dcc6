import { z } from "zod";
import { DomainError } from "../kernel/errors.ts";
import { jsonProblem } from "../kernel/input.ts";

/** @see RFC 7644, 3.4.2.2, table 3. */
export const COMPARISONS = ["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"] as const;

export type FilterComparison = (typeof COMPARISONS)[number];

/** A value that an attribute can be compared with. */
export type Comparable = string | number | boolean | null;

/**
 * A condition on a resource. Paths are attribute names, outermost first. Inside `some`, paths start at the
 * element.
 *
 * @see RFC 7644, 3.4.2.2.
 */
export type ScimFilter =
  | { kind: "and" | "or"; operands: ScimFilter[] }
  | { kind: "not"; operand: ScimFilter }
  | { kind: "present"; path: string[] }
  | { kind: "compare"; path: string[]; comparison: FilterComparison; value: Comparable }
  | { kind: "some"; path: string[]; where: ScimFilter };

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
 * Parses a filter in JSON.
 *
 * @throws {DomainError} invalid_filter if it is invalid or too large.
 */
export function parseFilter(value: unknown): ScimFilter {
  // Checked before zod, whose recursion would overflow the stack on deep nesting.
  const problem = jsonProblem(value, FILTER_LIMITS.bytes);
  if (problem !== null) throw createFilterError(`The filter ${problem}.`);
  if (!isFilter(value)) throw createFilterError("The filter is not valid.");
  requireBounded(value);
  return value;
}

/** Stops at the first problem: the others would be collected again at every level above them. */
function isFilter(value: unknown): value is ScimFilter {
  return z.validate(shape, value);
}

/**
 * Checks a filter's depth and number of parts.
 *
 * @throws {DomainError} invalid_filter.
 */
export function requireBounded(filter: ScimFilter): void {
  countParts(filter);
}

/**
 * Counts the parts of a filter, at most `FILTER_LIMITS.nodes`.
 *
 * @throws {DomainError} invalid_filter if it is larger or too deeply nested.
 */
export function countParts(filter: ScimFilter): number {
  const waiting = [{ filter, depth: 1 }];
  for (let nodes = 1; ; nodes++) {
    const next = waiting.pop();
    if (next === undefined) return nodes - 1;
    if (nodes > FILTER_LIMITS.nodes)
      throw createFilterError(`The filter is too large. At most ${FILTER_LIMITS.nodes} parts are allowed.`);
    if (next.depth > FILTER_LIMITS.depth) {
      throw createFilterError(
        `The filter is too deeply nested. At most ${FILTER_LIMITS.depth} levels are allowed.`,
      );
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

/** The error for a filter. @see RFC 7644, 3.12. */
export function createFilterError(detail: string): DomainError {
  return new DomainError("invalid_filter", detail, { field: "filter" });
}
