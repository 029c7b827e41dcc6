import type { ActorRecord } from "../domain/kernel/actor.ts";
import type { EventInput } from "../domain/kernel/events.ts";

/** An event of the simulated month. */
export type PastEvent = EventInput & { at: Date; actor: ActorRecord };

/** The row and agent that an event concerns. */
export type EventSubject = Pick<EventInput, "subjectType" | "subjectId" | "agentId">;

/** One change of a row: when, by whom, and the event's data. */
export type HistoryEntry = { type: string; at: Date; by: ActorRecord; data?: Record<string, unknown> };

/** The actor of automatic changes. */
export const SERVICE: ActorRecord = { type: "system", id: null, name: "agent-ops" };

/**
 * Builds the events of a row with a generation. The first is its creation, and each increments the
 * generation.
 */
export function toEvents(subject: EventSubject, entries: readonly HistoryEntry[]): PastEvent[] {
  return entries.map(({ type, at, by, data }, index) => ({
    ...subject,
    type,
    at,
    actor: by,
    data: { generation: index + 1, ...data },
  }));
}
