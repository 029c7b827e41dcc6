import type { FindValue } from "./read-usage.ts";

/** What of this workspace a span names as its cause. Whether it exists is not known. */
export type SpanLinks = Record<(typeof IDS)[number][0], string | null> & { evalItemKey: string | null };

const IDS = [
  ["taskId", "aos.task_id"],
  ["missionId", "aos.mission_id"],
  ["commandId", "aos.command_id"],
  ["evalRunId", "aos.eval.run_id"],
  ["reservationId", "aos.reservation.id"],
] as const;

/** Where senders put what they are given to pass on. */
const PLACES = ["", "metadata.", "ai.telemetry.metadata.", "traceloop.association.properties."];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MOST_CHARACTERS = 200;

/** Reads the links that a span, or else its resource, names. */
export function readLinks(findInSpan: FindValue, findInResource: FindValue): SpanLinks {
  function read(key: string): string | null {
    const keys = PLACES.map((place) => [`${place}${key}`]);
    const value = keys.map((one) => findInSpan(one) ?? findInResource(one)).find((one) => one !== undefined);
    return typeof value === "string" && value !== "" && value.length <= MOST_CHARACTERS ? value : null;
  }
  const ids = IDS.map(([name, key]) => {
    const id = read(key);
    return [name, id !== null && UUID.test(id) ? id.toLowerCase() : null] as const;
  });
  // Its names are those of IDS.
  const links = Object.fromEntries(ids) as Record<(typeof IDS)[number][0], string | null>;
  return { ...links, evalItemKey: read("aos.eval.item_key") };
}
