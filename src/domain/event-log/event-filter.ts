import type { Actor } from "../kernel/actor.ts";
import { createFieldError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { StoredEvent } from "./stored-event.ts";
import { listVisibleSubjects } from "./list-visible-subjects.ts";

/** The events that a reader asks for and may see. Null means all. */
export type EventFilter = {
  /** Full types. */
  exact: readonly string[] | null;
  /** Prefixes of types. */
  prefixes: readonly string[] | null;
  /** The id of the row or agent that the events concern. */
  subjectId: string | null;
  /** The subject types that the reader may see. */
  subjectTypes: readonly string[] | null;
};

/** The requested events: `types` such as `task.created`, `task.*` and `*`. Null means all. */
export type EventSelection = { types: readonly string[] | null; subjectId: string | null };

/** A type, or what types begin with and `*`. */
export const EVENT_TYPE = /^(?:\*|[a-z][a-z_]{0,63}(?:\.[a-z_]{0,63})?\*?)$/;

/**
 * Converts a selection to a filter, limited to what the actor may see.
 *
 * @throws {DomainError} validation_failed.
 */
export function toEventFilter(actor: Actor, { types, subjectId }: EventSelection): EventFilter {
  const subjectTypes = listVisibleSubjects(actor);
  if (types === null) return { exact: null, prefixes: null, subjectId, subjectTypes };
  if (types.length === 0 || types.length > LIMITS.eventTypes) {
    throw createFieldError("types", `must have 1 to ${LIMITS.eventTypes} entries`);
  }
  if (!types.every((type) => EVENT_TYPE.test(type))) {
    throw createFieldError("types", "must be types such as task.created, with * only at the end");
  }
  return {
    exact: types.filter((type) => !type.endsWith("*")),
    prefixes: types.filter((type) => type.endsWith("*")).map((type) => type.slice(0, -1)),
    subjectId,
    subjectTypes,
  };
}

/** Whether an event matches a filter. */
export function isWanted(filter: EventFilter, event: StoredEvent): boolean {
  const { exact, prefixes, subjectId, subjectTypes } = filter;
  if (subjectTypes !== null && !subjectTypes.includes(event.subjectType)) return false;
  if (subjectId !== null && subjectId !== event.subjectId && subjectId !== event.agentId) return false;
  if (exact === null || prefixes === null) return true;
  return exact.includes(event.type) || prefixes.some((prefix) => event.type.startsWith(prefix));
}
