import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { toColumnName } from "../../db/columns.ts";
import { sql } from "../../db/sql.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { listChanges } from "../kernel/list-changes.ts";
import { createTurns } from "../kernel/turns.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { type FloorPlan, appendFloorPlanChange, mapId, pose } from "./floor-plan.ts";
import { type PlanImage, readImage } from "./read-image.ts";

const { run: takeTurn } = createTurns();

const shape = pose.extend({
  mapId,
  image: z.custom<Uint8Array>((value) => value instanceof Uint8Array).nullish(),
});

/**
 * Creates the floor plan of a map, or replaces it. Without an image, the one that it has stays.
 *
 * @param input.image a PNG or an SVG. Stored without what a picture does not need: metadata, scripts, references.
 * @throws {DomainError} forbidden below operator, and for agents; validation_failed, also for an image that can't be
 *   made safe, and for one more than a workspace may have.
 * @see https://docs.ros.org/en/rolling/p/nav2_map_server/ for resolution and origin.
 */
export async function setFloorPlan(ctx: Ctx, input: z.input<typeof shape>): Promise<FloorPlan> {
  requireRole(ctx, "operator");
  const { image, ...place } = parseInput(shape, input);
  const given = image ? toColumns(await takeTurn(ctx.workspaceId, readImage(image))) : null;
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const before = await findPlan(tx, place.mapId);
    await requireRoom(tx, { before, sizeBytes: given?.sizeBytes ?? 0 });
    if (before !== null) return replace(tx, before, { ...place, ...given });
    if (given === null) throw createFieldError("image", "is required for a map without a floor plan");
    return create(tx, { ...place, ...given });
  });
}

type ImageColumns = PlanImage & { sizeBytes: number; imageHash: string };
type Place = Omit<z.output<typeof shape>, "image">;

function toColumns(read: PlanImage): ImageColumns {
  const imageHash = createHash("sha256").update(read.image).digest("hex");
  return { ...read, sizeBytes: read.image.byteLength, imageHash };
}

async function findPlan({ db, ctx }: Transaction, id: string): Promise<FloorPlan | null> {
  const where = { workspaceId_mapId: { workspaceId: ctx.workspaceId, mapId: id } };
  return db.floorPlan.findUnique({ where, omit: { image: true } });
}

async function create(tx: Transaction, { image, ...columns }: Place & ImageColumns): Promise<FloorPlan> {
  const [now, by] = [await tx.now(), createActorRecord(tx.ctx.actor)];
  const plan = await tx.db.floorPlan.create({
    data: {
      ...columns,
      image,
      workspaceId: tx.ctx.workspaceId,
      id: uuidv7(),
      createdBy: by,
      updatedBy: by,
      createdAt: now,
      updatedAt: now,
    },
    omit: { image: true },
  });
  const { mapId: _map, ...chosen } = columns;
  const changes: Record<string, unknown> = Object.fromEntries(
    Object.entries(chosen).map(([field, value]) => [toColumnName(field), value] as const),
  );
  appendFloorPlanChange(tx, "floor_plan.created", { plan, changes });
  return plan;
}

async function replace(
  tx: Transaction,
  before: FloorPlan,
  { image, ...columns }: Place & Partial<ImageColumns>,
): Promise<FloorPlan> {
  const changes = listChanges(before, columns);
  if (Object.keys(changes).length === 0) return before;
  const plan = await tx.db.floorPlan.update({
    where: { workspaceId_id: { workspaceId: before.workspaceId, id: before.id } },
    data: {
      ...columns,
      ...(image !== undefined && { image }),
      generation: before.generation + 1,
      updatedBy: createActorRecord(tx.ctx.actor),
      updatedAt: await tx.now(),
    },
    omit: { image: true },
  });
  appendFloorPlanChange(tx, "floor_plan.updated", { plan, changes });
  return plan;
}

/** @throws {DomainError} validation_failed for one plan, or more bytes, than a workspace may have. */
async function requireRoom(
  tx: Transaction,
  { before, sizeBytes }: { before: FloorPlan | null; sizeBytes: number },
): Promise<void> {
  if (sizeBytes === 0) return;
  const [others] = await tx.run(OTHERS, [tx.ctx.workspaceId, before?.id ?? null]);
  const { plans, bytes } = others ?? { plans: 0, bytes: 0 };
  if (before === null && plans >= LIMITS.floorPlans) {
    const most = `a workspace has at most ${LIMITS.floorPlans} floor plans`;
    throw createFieldError("mapId", `can't get a floor plan: ${most}`);
  }
  if (bytes + sizeBytes > LIMITS.floorPlansBytes) {
    const most = `all floor plans of a workspace have at most ${LIMITS.floorPlansBytes} bytes`;
    throw createFieldError("image", `is too large: ${most}`);
  }
}

const OTHERS = sql<{ plans: number; bytes: number }>`
SELECT count(*)::int AS plans, COALESCE(sum(size_bytes), 0)::float8 AS bytes FROM floor_plan
WHERE workspace_id = $1::uuid AND id IS DISTINCT FROM $2::uuid`;
