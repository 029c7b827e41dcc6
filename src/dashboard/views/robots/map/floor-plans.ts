import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";

const FloorPlans = graphql(`
  query FloorPlans {
    floorPlans {
      uuid
      mapId
      imagePath
      width
      height
      resolution
      originX
      originY
      originYaw
    }
  }
`);

/** A picture of a map, and where it is. */
export type FloorPlan = ResultOf<typeof FloorPlans>["floorPlans"][number];

/** The floor plans of all maps by the maps' ids, and how to read them again. Empty until they are loaded. */
export function useFloorPlans(): { plans: ReadonlyMap<string, FloorPlan>; refresh: () => void } {
  const { data, refresh } = useLiveQuery(FloorPlans, {}, { types: ["floor_plan.*"] });
  return { plans: new Map((data?.floorPlans ?? []).map((plan) => [plan.mapId, plan])), refresh };
}

type Point = { x: number; y: number };

/** Where the corners of a plan are on its map, in metres. */
export function listCorners(plan: FloorPlan): Point[] {
  const [along, up] = [plan.width * plan.resolution, plan.height * plan.resolution];
  const [cos, sin] = [Math.cos(plan.originYaw), Math.sin(plan.originYaw)];
  return [
    [0, 0],
    [along, 0],
    [0, up],
    [along, up],
  ].map(([x = 0, y = 0]) => ({
    x: plan.originX + cos * x - sin * y,
    y: plan.originY + sin * x + cos * y,
  }));
}
