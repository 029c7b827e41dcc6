import { z } from "zod";
import type { GatewayEntity } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { parseInput } from "../kernel/input.ts";
import { entityName } from "./entity-name.ts";
import { requireEntityReader } from "./require-entity-reader.ts";

const shape = z.object(entityName);

/**
 * Reads one entity.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read` or `gateway:delegate`; not_found.
 */
export async function readEntity(ctx: Ctx, input: z.input<typeof shape>): Promise<GatewayEntity> {
  requireEntityReader(ctx);
  const { type, entityId } = parseInput(shape, input);
  const where = { workspaceId_type_entityId: { workspaceId: ctx.workspaceId, type, entityId } };
  const entity = await ctx.db.gatewayEntity.findUnique({ where });
  if (entity === null) throw createNotFoundError("entity");
  return entity;
}
