import type { ListedRobot } from "../list/robot-list-query.ts";
import type { FloorPlan } from "./floor-plans.ts";
import { type MapPosition, parsePosition } from "../parse-position.ts";

export type Mapped = Pick<ListedRobot, "uuid" | "status" | "position" | "agent">;

export type PlacedRobot = { uuid: string; name: string; status: Mapped["status"]; at: MapPosition };

/** Robots with a known position, grouped by map. The map with most robots comes first, those with only a plan last. */
export function groupByMap(
  robots: readonly Mapped[],
  plans: ReadonlyMap<string, FloorPlan>,
): [mapId: string, robots: PlacedRobot[]][] {
  const byMap = new Map<string, PlacedRobot[]>([...plans.keys()].map((mapId) => [mapId, []]));
  for (const { uuid, status, agent, position } of robots) {
    const at = parsePosition(position);
    if (at === null) continue;
    const placed = { uuid, status, at, name: agent?.name ?? "Unnamed robot" };
    byMap.set(at.mapId, [...(byMap.get(at.mapId) ?? []), placed]);
  }
  return [...byMap].toSorted(
    ([one, some], [other, others]) => others.length - some.length || one.localeCompare(other),
  );
}
