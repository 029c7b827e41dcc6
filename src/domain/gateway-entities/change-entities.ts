import type { GatewayEntity } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import { requireScope, requireSudo } from "../kernel/guard.ts";

/**
 * Requires an agent that may ask for others, or an admin: what an entity is decides what it may do.
 *
 * @throws {DomainError} insufficient_scope; forbidden; sudo_required.
 */
export function requireEntityWriter(ctx: Ctx): void {
  if (ctx.actor.type === "agent") requireScope(ctx, "gateway:delegate");
  else requireSudo(ctx, "admin");
}

/** The event and audit event of a change. */
export function describeEntity(
  change: `gateway_entity.${"created" | "updated" | "deleted"}`,
  { id, type, entityId, generation }: GatewayEntity,
  changes: Record<string, unknown> = {},
): Pick<AppendContent, "events" | "audit"> {
  const [subjectType, name] = ["gateway_entity", { entity_type: type, entity_id: entityId }];
  return {
    events: [{ type: change, subjectType, subjectId: id, data: { ...name, generation } }],
    audit: [{ action: change, targetType: subjectType, targetId: id, changes: { ...name, ...changes } }],
  };
}
