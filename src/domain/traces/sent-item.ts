import type { Attributes, SentSpan } from "./telemetry.ts";

/**
 * What a request says of one thing, or why it can't be read. Things of one process share the object of its attributes.
 * Null for what comes before such things, a process or a metric, which may have none.
 */
export type SentItem<Sent> = { resource: Attributes; scope: string; sent: Sent | string } | null;

/** What may have many parts. */
export type SentParts = Pick<SentSpan, "attributes"> & Partial<Pick<SentSpan, "events" | "links">>;

/** Counts an item with its attributes, events and links. */
export function countParts(item: SentItem<SentParts>): number {
  if (item === null || typeof item.sent === "string") return 1;
  const { attributes, events = [], links = [] } = item.sent;
  let parts = 1 + attributes.length;
  for (const event of events) parts += 1 + event.attributes.length;
  for (const link of links) parts += 1 + link.attributes.length;
  return parts;
}
