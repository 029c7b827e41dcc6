import { readCursorText } from "../kernel/cursor-text.ts";
import { createFieldError } from "../kernel/errors.ts";

/** A place in a workspace's events: after the event `seq` of one history. */
export type EventPosition = { epoch: string; seq: number };

const CURSOR = /^v1\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(0|[1-9]\d{0,14})$/;

/**
 * Reads the place that a cursor names.
 *
 * @throws {DomainError} validation_failed for what is no cursor of events.
 */
export function parseEventPosition(field: string, cursor: string): EventPosition {
  const [, epoch, seq] = CURSOR.exec(readCursorText(cursor) ?? "") ?? [];
  if (epoch === undefined || seq === undefined) throw createFieldError(field, "is not a cursor of events");
  return { epoch, seq: Number(seq) };
}
