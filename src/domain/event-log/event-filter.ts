import type { Actor } from "../kernel/actor.ts";
import { createFieldError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { StoredEvent } from "./stored-event.ts";
import { listVisibleSubjects } from "./list-visible-subjects.ts";

/** Which events somebody wants and may see: all, where everything is null. */
export type EventFilter = {
  /** Types in full. */
  exact: readonly string[] | null;
  /** What other types begin with. */
  prefixes: readonly string[] | null;
  /** The id of the row, or of the agent, that the events are about. */
  subjectId: string | null;
  /** The types of subjects whose events may be seen. */
  subjectTypes: readonly string[] | null;
};

/** Which events are asked for: `types` such as `task.created`, `task.*` and `*`; all where both are null. */
export type EventSelection = { types: readonly string[] | null; subjectId: string | null };

const TYPE = /^(?:\*|[a-z][a-z_]{0,63}(?:\.[a-z_]{0,63})?\*?)$/;

/**
 * Reads which events are asked for, as far as whoever asks may see them.
 *
 * @throws {DomainError} validation_failed.
 */
export function toEventFilter(actor: Actor, { types, subjectId }: EventSelection): EventFilter {
  const subjectTypes = listVisibleSubjects(actor);
  if (types === null) return { exact: null, prefixes: null, subjectId, subjectTypes };
  if (types.length === 0 || types.length > LIMITS.eventTypes) {
    throw createFieldError("types", `must have 1 to ${LIMITS.eventTypes} entries`);
  }
  if (!types.every((type) => TYPE.test(type))) {
    throw createFieldError("types", "must be types such as task.created, each with * at its end at most");
  }
  return {
    exact: types.filter((type) => !type.endsWith("*")),
    prefixes: types.filter((type) => type.endsWith("*")).map((type) => type.slice(0, -1)),
    subjectId,
    subjectTypes,
  };
}

/** Whether an event is one of those that a filter asks for. */
export function isWanted(filter: EventFilter, event: StoredEvent): boolean {
  const { exact, prefixes, subjectId, subjectTypes } = filter;
  if (subjectTypes !== null && !subjectTypes.includes(event.subjectType)) return false;
  if (subjectId !== null && subjectId !== event.subjectId && subjectId !== event.agentId) return false;
  if (exact === null || prefixes === null) return true;
  return exact.includes(event.type) || prefixes.some((prefix) => event.type.startsWith(prefix));
}
