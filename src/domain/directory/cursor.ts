import { createHash } from "node:crypto";
import { z } from "zod";
import { readCursorText, writeCursorText } from "../kernel/cursor-text.ts";
import { DomainError } from "../kernel/errors.ts";

/** A resource's position in a list: its sort key as text, its creation time and its id. */
export type ResourcePosition = { key: string | null; createdAt: Date; id: string };

/** The start of a page of `count` resources after a position, or its end before one. */
export type CursorPosition = ResourcePosition & { isBackward: boolean; count: number };

const shape = z.tuple([
  z.string().nullable(),
  z.int().min(0).max(8.64e15),
  z.guid(),
  z.boolean(),
  z.int().min(1),
]);

/** Encodes a position as an opaque cursor, valid only for the same query. @see RFC 9865, 2. */
export function encodeCursor(
  { key, createdAt, id, isBackward, count }: CursorPosition,
  query: unknown,
): string {
  const position = JSON.stringify([key, createdAt.getTime(), id, isBackward, count]);
  return `${writeCursorText(position)}.${fingerprint(query)}`;
}

/**
 * Decodes a cursor of the same query.
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

/** The error for an invalid cursor. @see RFC 9865, 2.1. */
export function createCursorError(): DomainError {
  return new DomainError(
    "invalid_cursor",
    "The cursor is not valid for this list. Start again without a cursor.",
    { field: "cursor" },
  );
}
