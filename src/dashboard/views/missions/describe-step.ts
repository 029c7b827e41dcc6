import { toVisibleText } from "../../ui/to-visible-text.ts";
import { formatDuration } from "../../ui/words.ts";
import { type TypedStep, toTypedStep } from "./form/step-types.ts";
import type { ShownStep } from "./page/mission-query.ts";

/** What a step tells the robot, as "to dock-1" or "for 30 s". Null if only its params as JSON say it. */
export function describeStep(step: Pick<ShownStep, "key" | "type" | "params">): string | null {
  const typed = toTypedStep(0, step);
  return typed.json === null ? describeTyped(typed) : null;
}

function describeTyped({ type, station, spot, action, seconds }: TypedStep): string | null {
  if (type === "WAIT") return seconds === "" ? null : `for ${formatDuration(Number(seconds))}`;
  if (type === "ACTION" && action !== "") {
    return station === "" ? toVisibleText(action) : `${toVisibleText(action)} at ${toVisibleText(station)}`;
  }
  if (spot !== null) {
    return `to ${spot.x.toFixed(1)}, ${spot.y.toFixed(1)} on ${toVisibleText(spot.mapId)}`;
  }
  return station === "" ? null : `to ${toVisibleText(station)}`;
}
