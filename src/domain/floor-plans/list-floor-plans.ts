import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import type { FloorPlan } from "./floor-plan.ts";

/**
 * Lists the floor plans of all maps, by the maps' ids, without the images.
 *
 * @throws {DomainError} insufficient_scope without `robots:read`.
 */
export async function listFloorPlans(ctx: Ctx): Promise<FloorPlan[]> {
  requireScope(ctx, "robots:read");
  return ctx.db.floorPlan.findMany({ orderBy: { mapId: "asc" }, omit: { image: true } });
}
