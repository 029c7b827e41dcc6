import { invalid } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import type { StoredEvent } from "./stored-event.ts";

/** Which events somebody wants: all, where both are null. */
export type EventFilter = {
  /** Types in full. */
  exact: readonly string[] | null;
  /** What other types begin with. */
  prefixes: readonly string[] | null;
  /** The id of the row, or of the agent, that the events are about. */
  subjectId: string | null;
};

const TYPE = /^(?:\*|[a-z][a-z_]{0,63}(?:\.[a-z_]{0,63})?\*?)$/;

/**
 * Reads which events are asked for.
 *
 * @param types such as `task.created`, `task.*` and `*`; null for all.
 * @throws {DomainError} validation_failed.
 */
export function eventFilter(types: readonly string[] | null, subjectId: string | null): EventFilter {
  if (types === null) return { exact: null, prefixes: null, subjectId };
  if (types.length === 0 || types.length > LIMITS.eventTypes) {
    throw invalid("types", `must have 1 to ${LIMITS.eventTypes} entries`);
  }
  if (!types.every((type) => TYPE.test(type))) {
    throw invalid("types", "must be types such as task.created, each with * at its end at most");
  }
  return {
    exact: types.filter((type) => !type.endsWith("*")),
    prefixes: types.filter((type) => type.endsWith("*")).map((type) => type.slice(0, -1)),
    subjectId,
  };
}

/** Whether an event is one of those that a filter asks for. */
export function isWanted({ exact, prefixes, subjectId }: EventFilter, event: StoredEvent): boolean {
  if (subjectId !== null && subjectId !== event.subjectId && subjectId !== event.agentId) return false;
  if (exact === null || prefixes === null) return true;
  return exact.includes(event.type) || prefixes.some((prefix) => event.type.startsWith(prefix));
}
