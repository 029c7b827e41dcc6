import { readCursorText, writeCursorText } from "../../kernel/cursor-text.ts";
import { createFieldError } from "../../kernel/errors.ts";

/** How far a search has come: past a trace, or past one of its spans. */
export type SearchPosition = { createdAt: Date; id: string; spanId: string | null };

const POSITION = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.([0-9a-f]{16}))?$/;

/** Returns an opaque cursor. Past a trace, it is also one of the list. */
export function writeSearchCursor({ createdAt, id, spanId }: SearchPosition): string {
  return writeCursorText([createdAt.getTime(), id, ...(spanId === null ? [] : [spanId])].join("."));
}

/** @throws {DomainError} validation_failed for what is no cursor. */
export function parseSearchCursor(cursor: string): SearchPosition {
  const [, milliseconds, id, spanId = null] = POSITION.exec(readCursorText(cursor) ?? "") ?? [];
  if (milliseconds === undefined || id === undefined) {
    throw createFieldError("after", "is not a cursor of this list");
  }
  return { createdAt: new Date(Number(milliseconds)), id, spanId };
}
