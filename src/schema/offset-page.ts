import { createFieldError } from "../domain/kernel/errors.ts";
import { LIMITS } from "../domain/kernel/limits.ts";

/** A part of a plain list: so many rows from an offset on. */
export type OffsetArgs = { first?: number | null | undefined; offset?: number | null | undefined };

/**
 * Which rows the arguments of a plain list ask for.
 *
 * @throws {DomainError} validation_failed for a size or an offset out of range.
 */
export function toTakeSkip({ first, offset }: OffsetArgs): { take: number; skip: number } {
  const { default: usual, max } = LIMITS.pageSize;
  const take = first ?? usual;
  const skip = offset ?? 0;
  if (take < 1 || take > max) throw createFieldError("first", `must be from 1 to ${max}`);
  if (skip < 0 || skip > LIMITS.offset)
    throw createFieldError("offset", `must be from 0 to ${LIMITS.offset}`);
  return { take, skip };
}

/** How many times a plain list's fields count towards a query's complexity. */
export function offsetComplexity({ first }: OffsetArgs): { field: number; multiplier: number } {
  const { default: usual, max } = LIMITS.pageSize;
  return { field: 1, multiplier: Math.min(Math.max(first ?? usual, 1), max) };
}
