import type { PlacedRobot } from "./placed-robot.ts";
import type { MapView } from "./view-of.ts";

const LETTER_PX = 7;
const LINE_PX = 15;
const END_PX = 90;
const BESIDE_PX = 11;

/** Which side of a robot's mark its name stands on, by its uuid. */
export type Labels = ReadonlyMap<string, "left" | "right">;

/**
 * Chooses the robots whose names have room, those first that a person may have to do with. The others are
 * named by their marks alone.
 */
export function labelled(robots: readonly PlacedRobot[], view: MapView): Labels {
  const labels = new Map<string, "left" | "right">();
  const taken: { x: number; y: number; width: number }[] = [];
  for (const { uuid, name, at } of robots.toSorted((one, other) => weightOf(one) - weightOf(other))) {
    const { x, y } = view.place(at);
    const width = name.length * LETTER_PX;
    const side = x > view.width - END_PX ? "left" : "right";
    const left = side === "right" ? x + BESIDE_PX : x - BESIDE_PX - width;
    const isTaken = taken.some(
      (other) => Math.abs(other.y - y) < LINE_PX && left < other.x + other.width && other.x < left + width,
    );
    if (isTaken) continue;
    taken.push({ x: left, y, width });
    labels.set(uuid, side);
  }
  return labels;
}

function weightOf({ status }: PlacedRobot): number {
  return status === "ERROR" || status === "PAUSED" ? 0 : 1;
}
