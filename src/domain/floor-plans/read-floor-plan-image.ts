import { z } from "zod";
import type { FloorPlan } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";

const shape = z.object({ id: uuid, knownHash: z.string().nullish() });

/**
 * Reads the image of a floor plan.
 *
 * @param input.knownHash the hash of the image that the caller has: if it is this one, the bytes are not read.
 * @returns `image` is null if the caller has it.
 * @throws {DomainError} insufficient_scope without `robots:read`; not_found.
 */
export async function readFloorPlanImage(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<Pick<FloorPlan, "mediaType" | "imageHash"> & { image: Uint8Array<ArrayBuffer> | null }> {
  requireScope(ctx, "robots:read");
  const { id, knownHash } = parseInput(shape, input);
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const select = { mediaType: true, imageHash: true };
  const known = knownHash ? await ctx.db.floorPlan.findUnique({ where, select }) : null;
  if (known !== null && known.imageHash === knownHash) return { ...known, image: null };
  const plan = await ctx.db.floorPlan.findUnique({ where, select: { ...select, image: true } });
  if (plan === null) throw createNotFoundError("floor plan");
  return plan;
}
