import { createFieldError } from "../domain/kernel/errors.ts";
import { LIMITS } from "../domain/kernel/limits.ts";

/** Arguments of a list that is paged by offset. */
export type OffsetArgs = { first?: number | null | undefined; offset?: number | null | undefined };

/**
 * Converts the arguments of a list to Prisma's `take` and `skip`.
 *
 * @throws {DomainError} validation_failed if one is out of range.
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

/** The cost of a list that is paged by offset. */
export function offsetComplexity({ first }: OffsetArgs): { field: number; multiplier: number } {
  const { default: usual, max } = LIMITS.pageSize;
  return { field: 1, multiplier: Math.min(Math.max(first ?? usual, 1), max) };
}
