import { z } from "zod";
import type { FloorPlan as Row } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";

/** A floor plan without its image. */
export type FloorPlan = Omit<Row, "image">;

/** The id of a map, as robots report it. */
export const mapId = text(LIMITS.nameLength);

/** Where the picture is on the map, as in the `map.yaml` of ROS. */
export const pose = z.strictObject({
  resolution: z.number().min(LIMITS.floorPlanResolution.min).max(LIMITS.floorPlanResolution.max),
  originX: z.number().min(-LIMITS.floorPlanOrigin).max(LIMITS.floorPlanOrigin),
  originY: z.number().min(-LIMITS.floorPlanOrigin).max(LIMITS.floorPlanOrigin),
  originYaw: z
    .number()
    .min(-2 * Math.PI)
    .max(2 * Math.PI)
    .default(0),
});

export type FloorPlanChange = "floor_plan.created" | "floor_plan.updated" | "floor_plan.deleted";

/** Appends the event and the audit row of a change. */
export function appendFloorPlanChange(
  tx: Transaction,
  type: FloorPlanChange,
  { plan, changes }: { plan: Pick<Row, "id" | "mapId" | "generation">; changes: Record<string, unknown> },
): void {
  const { id, generation } = plan;
  append(tx, {
    events: [{ type, subjectType: "floor_plan", subjectId: id, data: { map_id: plan.mapId, generation } }],
    audit: [
      { action: type, targetType: "floor_plan", targetId: id, changes: { map_id: plan.mapId, ...changes } },
    ],
  });
}
