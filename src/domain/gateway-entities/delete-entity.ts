import { z } from "zod";
import type { GatewayEntity } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { parseInput } from "../kernel/input.ts";
import { describeEntity, requireEntityWriter } from "./change-entities.ts";
import { entityName } from "./entity-name.ts";

const shape = z.object(entityName);

/**
 * Deletes an entity.
 *
 * @throws {DomainError} insufficient_scope without `gateway:delegate`; for people, forbidden below admin and
 *   sudo_required; not_found.
 */
export async function deleteEntity(ctx: Ctx, input: z.input<typeof shape>): Promise<GatewayEntity> {
  requireEntityWriter(ctx);
  const { type, entityId } = parseInput(shape, input);
  const { workspaceId } = ctx;
  return ctx.transaction(async (tx) => {
    const [entity] = await tx.db.gatewayEntity.findMany({ where: { workspaceId, type, entityId } });
    const { count } = await tx.db.gatewayEntity.deleteMany({ where: { workspaceId, type, entityId } });
    if (entity === undefined || count === 0) throw createNotFoundError("entity");
    append(tx, {
      ...describeEntity("gateway_entity.deleted", entity),
      totals: [{ collection: "gateway_entities", from: null }],
    });
    return entity;
  });
}
