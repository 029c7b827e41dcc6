import { z } from "zod";
import type { WebhookDelivery } from "../../db/generated/client.ts";
import { WebhookDeliveryStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";

const shape = z.object({
  endpointId: uuid,
  status: z.enum(WebhookDeliveryStatus).nullish(),
  before: uuid.nullish(),
  first: wholeNumber(LIMITS.webhookDeliveriesPage).default(LIMITS.webhookDeliveriesPage.default),
});

/** Deliveries, newest first, and whether there are older ones. */
export type WebhookDeliveries = { deliveries: WebhookDelivery[]; hasOlder: boolean };

/**
 * Lists what was delivered to an endpoint and has yet to be, newest first: those before a delivery, if one is named.
 *
 * @throws {DomainError} forbidden below admin, and for agents; validation_failed.
 */
export async function listWebhookDeliveries(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<WebhookDeliveries> {
  requireRole(ctx, "admin");
  const { endpointId, status, before, first } = parseInput(shape, input);
  const found = await ctx.db.webhookDelivery.findMany({
    where: { endpointId, ...(status && { status }), ...(before && { id: { lt: before } }) },
    orderBy: { id: "desc" },
    take: first + 1,
  });
  return { deliveries: found.slice(0, first), hasOlder: found.length > first };
}
