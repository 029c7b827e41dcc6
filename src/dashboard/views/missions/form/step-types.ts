import { type MapPosition, parsePosition } from "../../robots/parse-position.ts";
import { parseJson } from "../../commands/form/parse-json.ts";

export const STEP_TYPES = ["MOVE", "ACTION", "WAIT", "CUSTOM"] as const;
export type StepType = (typeof STEP_TYPES)[number];

/** A place on a map, in metres. */
export type Spot = Pick<MapPosition, "x" | "y" | "mapId">;

/** An entered step; its type says which fields count. "" means not set. `id` identifies its row. */
export type TypedStep = {
  id: number;
  key: string;
  type: StepType;
  station: string;
  /** Where to move instead of to a station. */
  spot: Spot | null;
  action: string;
  seconds: string;
  /** The params as JSON, which replace the fields. Null while the fields count. */
  json: string | null;
};

export const EMPTY_STEP: TypedStep = {
  ...{ id: 1, key: "", type: "MOVE", station: "", spot: null, action: "", seconds: "", json: null },
};

type Params = Record<string, unknown>;

/** The params that the fields of a step mean. */
export function toParams({ type, station, spot, action, seconds }: TypedStep): Params {
  const place: Params = station.trim() === "" ? {} : { station: station.trim() };
  if (type === "MOVE")
    return spot === null ? place : { position: { x: spot.x, y: spot.y, map_id: spot.mapId } };
  if (type === "ACTION") return { ...place, ...(action.trim() !== "" && { action: action.trim() }) };
  if (type === "WAIT") return seconds === "" ? {} : { seconds: Number(seconds) };
  return {};
}

/** A step with the params of another one: in fields, or as JSON if the fields can't show all of them. */
export function toTypedStep(
  id: number,
  { key, type, params }: Pick<TypedStep, "key" | "type"> & { params: unknown },
) {
  const given: Params = typeof params === "object" && params !== null ? { ...params } : {};
  const at = parsePosition(given["position"]);
  const read: TypedStep = {
    ...EMPTY_STEP,
    ...{ id, key, type },
    station: toText(given["station"]),
    spot: at === null ? null : { x: at.x, y: at.y, mapId: at.mapId },
    action: toText(given["action"]),
    seconds: toText(given["seconds"]),
  };
  const isWhole = JSON.stringify(sort(toParams(read))) === JSON.stringify(sort(given));
  return isWhole && type !== "CUSTOM" ? read : { ...read, json: JSON.stringify(given) };
}

/** Changes the type. The params of a custom step are JSON. */
export function changeType(step: TypedStep, type: StepType): TypedStep {
  if (type === "CUSTOM") return { ...step, type, json: step.json ?? "{}" };
  return { ...step, type, json: step.type === "CUSTOM" ? null : step.json };
}

/** The params to send, or what is wrong with the field. */
export function readParams(step: TypedStep): { params: unknown } | { field: string; problem: string } {
  if (step.json !== null) {
    const read = step.json.trim() === "" ? { isValid: true, value: {} } : parseJson(step.json);
    return read.isValid ? { params: read.value } : { field: "params", problem: "Enter valid JSON." };
  }
  const params = toParams(step);
  if (step.type === "MOVE" && Object.keys(params).length === 0)
    return { field: "station", problem: "Enter a station, or choose a place on the map." };
  if (step.type === "ACTION" && step.action.trim() === "")
    return { field: "action", problem: "Enter what the robot should do." };
  if (step.type === "WAIT" && !(Number(step.seconds) > 0))
    return { field: "seconds", problem: "Enter seconds above 0." };
  return { params };
}

/** A key for a step that has none, such as `move-dock-1`, which no other step has. */
export function proposeKey(step: TypedStep, taken: ReadonlySet<string>): string {
  const words = [step.type, step.type === "ACTION" ? step.action : "", step.station].join(" ");
  const base =
    words
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join("-")
      .slice(0, 56) ?? "step";
  let key = base;
  for (let nth = 2; taken.has(key); nth++) key = `${base}-${nth}`;
  return key;
}

function toText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function sort(params: Params): [string, unknown][] {
  return Object.entries(params).toSorted(([one], [other]) => one.localeCompare(other));
}
