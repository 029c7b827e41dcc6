import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { GatewayEntity } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { jsonObject, parseInput } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { describeEntity, requireEntityWriter } from "./change-entities.ts";
import { entityName } from "./entity-name.ts";

const shape = z.object({ ...entityName, properties: jsonObject(LIMITS.entityBytes) });

/**
 * Creates an entity or replaces its properties. Equal properties change nothing.
 *
 * @throws {DomainError} insufficient_scope without `gateway:delegate`; for people, forbidden below admin and
 *   sudo_required; validation_failed, also if the workspace has too many entities.
 */
export async function saveEntity(ctx: Ctx, input: z.input<typeof shape>): Promise<GatewayEntity> {
  requireEntityWriter(ctx);
  const { type, entityId, properties } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const { workspaceId } = ctx;
    const by = JSON.stringify(createActorRecord(ctx.actor));
    const values = [workspaceId, uuidv7(), type, entityId, JSON.stringify(properties), by, await tx.now()];
    const [saved] = await tx.run(SAVE, values);
    const where = { workspaceId_type_entityId: { workspaceId, type, entityId } };
    const entity = await tx.db.gatewayEntity.findUniqueOrThrow({ where });
    if (saved === undefined) return entity;
    if (saved.isNew) await requireRoom(tx);
    const change = saved.isNew ? "gateway_entity.created" : "gateway_entity.updated";
    append(tx, {
      ...describeEntity(change, entity, { properties }),
      totals: [{ collection: "gateway_entities", to: null, ...(!saved.isNew && { from: null }) }],
    });
    return entity;
  });
}

/** Returns nothing if the entity has these properties. */
const SAVE = sql<{ isNew: boolean }>`
INSERT INTO gateway_entity AS e (workspace_id, id, type, entity_id, properties, updated_by, created_at, updated_at)
VALUES ($1::uuid, $2::uuid, $3, $4, $5::jsonb, $6::jsonb, $7::timestamptz, $7::timestamptz)
ON CONFLICT (workspace_id, type, entity_id) DO UPDATE SET properties = excluded.properties,
  updated_by = excluded.updated_by, generation = e.generation + 1, updated_at = excluded.updated_at
WHERE e.properties <> excluded.properties
RETURNING e.generation = 1 AS "isNew"`;

/** Those that are created at the same instant are not counted. */
async function requireRoom(tx: Transaction): Promise<void> {
  const [found] = await tx.run(TOTAL, [tx.ctx.workspaceId]);
  if (found === undefined || found.total < LIMITS.gatewayEntities) return;
  throw createFieldError(
    "entityId",
    `can't be added: a workspace has at most ${LIMITS.gatewayEntities} entities`,
  );
}

const TOTAL = sql<{ total: number }>`
SELECT total FROM collection_total
WHERE workspace_id = $1::uuid AND collection = 'gateway_entities' AND facet = 'all'`;
