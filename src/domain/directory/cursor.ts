import { createHash } from "node:crypto";
import { z } from "zod";
import { readCursorText, writeCursorText } from "../kernel/cursor-text.ts";
import { DomainError } from "../kernel/errors.ts";

/** Where a resource stands in a list: its sort key as text, when it was made, its id. */
export type ResourcePosition = { key: string | null; createdAt: Date; id: string };

/** Where a page of `count` begins, right behind a place; or where it ends, right before it. */
export type CursorPosition = ResourcePosition & { isBackward: boolean; count: number };

const shape = z.tuple([
  z.string().nullable(),
  z.int().min(0).max(8.64e15),
  z.guid(),
  z.boolean(),
  z.int().min(1),
]);

/** Writes a position for clients, who can't read it; it holds for the same query only. @see RFC 9865, 2. */
export function encodeCursor(
  { key, createdAt, id, isBackward, count }: CursorPosition,
  query: unknown,
): string {
  const position = JSON.stringify([key, createdAt.getTime(), id, isBackward, count]);
  return `${writeCursorText(position)}.${fingerprint(query)}`;
}

/**
 * Reads a position that was written for the same query.
 *
 * @throws {DomainError} invalid_cursor.
 * @see RFC 9865, 2.1.
 */
export function decodeCursor(cursor: string, query: unknown): CursorPosition {
  const [position = "", ofQuery, ...others] = cursor.split(".", 3);
  if (ofQuery !== fingerprint(query) || others.length > 0) throw createCursorError();
  const parsed = shape.safeParse(readJson(position));
  if (!parsed.success) throw createCursorError();
  const [key, createdAt, id, isBackward, count] = parsed.data;
  return { key, createdAt: new Date(createdAt), id, isBackward, count };
}

function fingerprint(query: unknown): string {
  return createHash("sha256").update(JSON.stringify(query)).digest("base64url").slice(0, 11);
}

function readJson(encoded: string): unknown {
  try {
    return JSON.parse(readCursorText(encoded) ?? "");
  } catch {
    return null;
  }
}

/** The refusal of a cursor. @see RFC 9865, 2.1. */
export function createCursorError(): DomainError {
  return new DomainError("invalid_cursor", "The cursor is not one of this list.", { field: "cursor" });
}
