import { readCursorText } from "../kernel/cursor-text.ts";
import { createFieldError } from "../kernel/errors.ts";

/** A position in a workspace's events: after the event `seq` of an epoch. */
export type EventPosition = { epoch: string; seq: number };

const CURSOR = /^v1\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(0|[1-9]\d{0,14})$/;

/**
 * Parses an event cursor.
 *
 * @throws {DomainError} validation_failed if it is not an event cursor.
 */
export function parseEventPosition(field: string, cursor: string): EventPosition {
  const [, epoch, seq] = CURSOR.exec(readCursorText(cursor) ?? "") ?? [];
  if (epoch === undefined || seq === undefined) throw createFieldError(field, "is not an event cursor");
  return { epoch, seq: Number(seq) };
}
