import { readCursorText, writeCursorText } from "./cursor-text.ts";
import { createFieldError } from "./errors.ts";

/** A row's place in a list. */
export type Position = { at: Date; id: string };

/** Returns a row's opaque cursor in a list ordered by creation. */
export function positionCursor({ createdAt, id }: { createdAt: Date | string; id: string }): string {
  return writeCursorText(`${new Date(createdAt).getTime()}.${id}`);
}

/** Returns a row's opaque cursor in a list ordered by the last change. Invalid in other orders. */
export function changeCursor({ updatedAt, id }: { updatedAt: Date | string; id: string }): string {
  return writeCursorText(`u${new Date(updatedAt).getTime()}.${id}`);
}

/** Returns the opaque cursor of the workspace's events. */
export function eventCursor(epoch: string, seq: bigint): string {
  return writeCursorText(`v1.${epoch}.${seq}`);
}

/** @throws {DomainError} validation_failed if it is no cursor of a list in this order. */
export function parsePosition(
  field: string,
  cursor: string,
  { by }: { by: "createdAt" | "updatedAt" },
): Position {
  const text = readCursorText(cursor);
  const match = /^(u?)(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text ?? "");
  const [, mark, milliseconds, id] = match ?? [];
  const isOfOrder = mark === (by === "updatedAt" ? "u" : "");
  if (!isOfOrder || milliseconds === undefined || id === undefined) {
    throw createFieldError(field, "is not a cursor of this list");
  }
  return { at: new Date(Number(milliseconds)), id };
}
