import { z } from "zod";
import { DomainError } from "../kernel/errors.ts";
import { type ScimFilter, countParts, createFilterError, parseFilter } from "./filter.ts";

/** @see RFC 7644, 3.5.2. */
export const OPERATION_KINDS = ["add", "replace", "remove"] as const;

/**
 * One operation of a PATCH. `path` names an attribute, outermost first. `where` selects its elements and
 * `sub` is a part of each; both are null if the path has none.
 *
 * @see RFC 7644, 3.5.2.
 */
export type PatchOperation = {
  op: (typeof OPERATION_KINDS)[number];
  path: string[];
  where: ScimFilter | null;
  sub: string | null;
  value: unknown;
};

/** The most operations of one PATCH. */
export const OPERATIONS_AT_MOST = 1000;

/** The most parts of all conditions of one PATCH, since each may be evaluated for every element. */
export const CONDITION_PARTS_AT_MOST = 2000;

/** How many elements all operations of one PATCH may process, one after the other. */
export const PROCESSED_ELEMENTS_AT_MOST = 50_000;

/**
 * Limits the total size of a PATCH's conditions.
 *
 * @throws {DomainError} invalid_filter.
 */
export function requireFewConditions(operations: readonly PatchOperation[]): void {
  let parts = 0;
  for (const { where } of operations) {
    parts += where === null ? 0 : countParts(where);
    if (parts > CONDITION_PARTS_AT_MOST) {
      throw createFilterError(
        `The filters of a patch may have at most ${CONDITION_PARTS_AT_MOST} parts in all.`,
      );
    }
  }
}

const shape = z.strictObject({
  op: z.enum(OPERATION_KINDS),
  path: z.array(z.string()).min(1).max(4),
  where: z
    .unknown()
    .transform((where) => (where === null || where === undefined ? null : parseFilter(where))),
  sub: z.string().nullable().default(null),
  value: z.unknown(),
});

/**
 * Parses an operation in JSON.
 *
 * @throws {DomainError} invalid_body if it is invalid; invalid_filter.
 */
export function parseOperation(value: unknown): PatchOperation {
  const parsed = shape.safeParse(value);
  if (!parsed.success) throw new DomainError("invalid_body", "The patch operation is not valid.");
  return parsed.data;
}

/** The error for a path that names no attribute. @see RFC 7644, 3.12. */
export function createPathError(detail: string): DomainError {
  return new DomainError("invalid_path", detail, { field: "path" });
}

/** The error for a path that matches nothing. @see RFC 7644, 3.5.2.3 and 3.12. */
export function createNoTargetError(): DomainError {
  return new DomainError("no_target", "The path's condition matches no existing value.", { field: "path" });
}
