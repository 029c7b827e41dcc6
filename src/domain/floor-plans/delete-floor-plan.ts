import { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { type FloorPlan, appendFloorPlanChange, mapId } from "./floor-plan.ts";

const shape = z.object({ mapId });

/**
 * Deletes the floor plan of a map.
 *
 * @throws {DomainError} forbidden below operator, and for agents; not_found.
 */
export async function deleteFloorPlan(ctx: Ctx, input: z.input<typeof shape>): Promise<FloorPlan> {
  requireRole(ctx, "operator");
  const parsed = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const where = { workspaceId_mapId: { workspaceId: ctx.workspaceId, mapId: parsed.mapId } };
    const plan = await tx.db.floorPlan.findUnique({ where, omit: { image: true } });
    if (plan === null) throw createNotFoundError("floor plan");
    await tx.db.floorPlan.delete({ where, omit: { image: true } });
    appendFloorPlanChange(tx, "floor_plan.deleted", { plan, changes: { image_hash: plan.imageHash } });
    return plan;
  });
}
