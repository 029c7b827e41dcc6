import type { PlacedRobot } from "./placed-robot.ts";
import type { MapView } from "./fit-view.ts";

const CHARACTER_PX = 7;
const LINE_PX = 15;
const BESIDE_PX = 11;
const MARK_PX = 9;
/** A label's baseline is above the center of its mark. */
const MARK_DOWN_PX = 13;

/** The side of each robot's mark on which its label is, by UUID. */
export type LabelSides = ReadonlyMap<string, "left" | "right">;

/**
 * Chooses the robots that have room for a label. Those that may need attention come first. The others show only their
 * marks.
 */
export function placeLabels(robots: readonly PlacedRobot[], view: MapView): LabelSides {
  const labels = new Map<string, "left" | "right">();
  const taken: Box[] = robots.map(({ uuid, at }) => {
    const { x, y } = view.place(at);
    return { of: uuid, y: y + MARK_DOWN_PX, left: x - MARK_PX, right: x + MARK_PX };
  });
  for (const { uuid, name, at } of robots.toSorted((one, other) => getWeight(one) - getWeight(other))) {
    const { x, y } = view.place(at);
    const width = name.length * CHARACTER_PX;
    const boxes = {
      right: { of: uuid, y, left: x + BESIDE_PX, right: x + BESIDE_PX + width },
      left: { of: uuid, y, left: x - BESIDE_PX - width, right: x - BESIDE_PX },
    };
    const sides = (["right", "left"] as const).filter(
      (side) => boxes[side].left >= 0 && boxes[side].right <= view.width,
    );
    const side = sides.find((one) => !taken.some((other) => isOver(boxes[one], other)));
    if (side === undefined) continue;
    taken.push(boxes[side]);
    labels.set(uuid, side);
  }
  return labels;
}

/** The area of a label or mark, and the robot it belongs to. */
type Box = { of: string; y: number; left: number; right: number };

/** Whether a label would overlap another robot's label or mark. */
function isOver(name: Box, other: Box): boolean {
  return (
    other.of !== name.of &&
    Math.abs(other.y - name.y) < LINE_PX &&
    name.left < other.right &&
    other.left < name.right
  );
}

function getWeight({ status }: PlacedRobot): number {
  return status === "ERROR" || status === "PAUSED" ? 0 : 1;
}
