import type { ActorRecord } from "../domain/kernel/actor.ts";
import type { EventInput } from "../domain/kernel/events.ts";

/** Something that happened in the month that is told. */
export type PastEvent = EventInput & { at: Date; actor: ActorRecord };

/** Whom a row of the demo is about, as its events name it. */
export type EventSubject = Pick<EventInput, "subjectType" | "subjectId" | "agentId">;

/** One thing that happened to a row: when, by whom, and what became of it. */
export type HistoryEntry = { type: string; at: Date; by: ActorRecord; data?: Record<string, unknown> };

/** What does something without being asked. */
export const SERVICE: ActorRecord = { type: "system", id: null, name: "agent-ops" };

/** The events of a row that has a generation: its creation is the first, and each counts one on. */
export function toEvents(subject: EventSubject, entries: readonly HistoryEntry[]): PastEvent[] {
  return entries.map(({ type, at, by, data }, index) => ({
    ...subject,
    ...{ type, at, actor: by, data: { generation: index + 1, ...data } },
  }));
}
