import type { Keys } from "./dialect.ts";
import type { FindValue } from "./read-usage.ts";

/** What of this workspace a span names as its cause. Whether it exists is not known. */
export type SpanLinks = {
  taskId: string | null;
  missionId: string | null;
  commandId: string | null;
  evalRunId: string | null;
  reservationId: string | null;
  evalItemKey: string | null;
};

/** One object for all spans without links: a thread sends it once. */
export const NO_LINKS: SpanLinks = {
  taskId: null,
  missionId: null,
  commandId: null,
  evalRunId: null,
  reservationId: null,
  evalItemKey: null,
};

/** Where senders put what they are given to pass on. */
const PLACES = ["", "metadata.", "ai.telemetry.metadata.", "traceloop.association.properties."];

const TASK = place("aos.task_id");
const MISSION = place("aos.mission_id");
const COMMAND = place("aos.command_id");
const EVAL_RUN = place("aos.eval.run_id");
const EVAL_ITEM = place("aos.eval.item_key");
const RESERVATION = place("aos.reservation.id");

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MOST_CHARACTERS = 200;

/** The names that an attribute may have, each by itself. */
function place(key: string): readonly Keys[] {
  return PLACES.map((start) => [`${start}${key}`]);
}

/** Reads the links that a span, or else its resource, names. */
export function readLinks(findInSpan: FindValue, findInResource: FindValue): SpanLinks {
  function read(places: readonly Keys[]): string | null {
    for (const keys of places) {
      const value = findInSpan(keys) ?? findInResource(keys);
      if (value === undefined) continue;
      return typeof value === "string" && value.length <= MOST_CHARACTERS ? value : null;
    }
    return null;
  }
  function readId(places: readonly Keys[]): string | null {
    const id = read(places);
    return id !== null && UUID.test(id) ? id.toLowerCase() : null;
  }
  const links = {
    taskId: readId(TASK),
    missionId: readId(MISSION),
    commandId: readId(COMMAND),
    evalRunId: readId(EVAL_RUN),
    reservationId: readId(RESERVATION),
    evalItemKey: read(EVAL_ITEM),
  };
  return Object.values(links).every((id) => id === null) ? NO_LINKS : links;
}
