import { z } from "zod";
import { DomainError } from "../kernel/errors.ts";
import { type ScimFilter, countParts, createFilterError, parseFilter } from "./filter.ts";

/** What an operation of a PATCH does. @see RFC 7644, 3.5.2. */
export const OPERATION_KINDS = ["add", "replace", "remove"] as const;

/**
 * One operation of a PATCH. `path` names an attribute, outermost first; `where` picks elements of it,
 * and `sub` is the part of each element that is meant; both are null where the path has none.
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

/** How many operations one PATCH may have. */
export const OPERATIONS_AT_MOST = 1000;

/** How many parts the conditions of one PATCH may have in all: each may be held against every element. */
export const CONDITION_PARTS_AT_MOST = 2000;

/** How many elements all operations of one PATCH may process, one after the other. */
export const PROCESSED_ELEMENTS_AT_MOST = 50_000;

/**
 * Holds the operations of a PATCH to the limit of what their conditions cost.
 *
 * @throws {DomainError} invalid_filter.
 */
export function requireFewConditions(operations: readonly PatchOperation[]): void {
  let parts = 0;
  for (const { where } of operations) {
    parts += where === null ? 0 : countParts(where);
    if (parts > CONDITION_PARTS_AT_MOST) {
      throw createFilterError(`The filters of a patch have at most ${CONDITION_PARTS_AT_MOST} parts in all.`);
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
 * Reads an operation that was sent as JSON.
 *
 * @throws {DomainError} invalid_body for what is none; invalid_filter.
 */
export function parseOperation(value: unknown): PatchOperation {
  const parsed = shape.safeParse(value);
  if (!parsed.success) throw new DomainError("invalid_body", "This is not an operation of a patch.");
  return parsed.data;
}

/** The refusal of a path that names no attribute. @see RFC 7644, 3.12. */
export function createPathError(detail: string): DomainError {
  return new DomainError("invalid_path", detail, { field: "path" });
}

/** The refusal of a path whose condition fits nothing. @see RFC 7644, 3.5.2.3 and 3.12. */
export function createNoTargetError(): DomainError {
  return new DomainError("no_target", "The path's condition fits nothing that is there.", { field: "path" });
}
