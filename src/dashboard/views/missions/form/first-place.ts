import { parseJson } from "../../commands/form/parse-json.ts";
import { NO_MAP, parsePosition } from "../../robots/parse-position.ts";
import { type Spot, type TypedStep, toParams } from "./step-types.ts";

/** Finds where the stations are, as far as steps named both a station and a position. The first wins. */
export function listPlaces(params: readonly unknown[]): ReadonlyMap<string, Spot> {
  const places = new Map<string, Spot>();
  for (const each of params) {
    const { station, place } = readPlace(each);
    if (station !== null && place !== null && !places.has(station)) places.set(station, place);
  }
  return places;
}

/** Where the mission begins: the place of the first step that has one. Null if it is not known. */
export function findFirstPlace(steps: readonly TypedStep[], places: ReadonlyMap<string, Spot>): Spot | null {
  for (const step of steps) {
    const { station, place } = readPlace(step.json === null ? toParams(step) : readJson(step.json));
    if (place !== null || station !== null) return place ?? places.get(station ?? "") ?? null;
  }
  return null;
}

/** How far a robot at this position is from a place, in a straight line in metres. Null on different maps. */
export function measure(position: unknown, place: Spot | null): number | null {
  const at = parsePosition(position);
  if (at === null || place === null || at.mapId === NO_MAP || at.mapId !== place.mapId) return null;
  return Math.hypot(at.x - place.x, at.y - place.y);
}

function readJson(json: string): unknown {
  const read = parseJson(json);
  return read.isValid ? read.value : null;
}

function readPlace(params: unknown): { station: string | null; place: Spot | null } {
  const given: Record<string, unknown> = typeof params === "object" && params !== null ? { ...params } : {};
  const { station, position } = given;
  return {
    station: typeof station === "string" ? station : null,
    place: parsePosition(position) ?? parsePosition(given),
  };
}
