import { z } from "zod";
import type { WebhookDelivery } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError, createNotFoundError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { describeWebhookEndpoint, lockWebhookEndpoint } from "./change-webhook-endpoints.ts";

const shape = z.object({ id: uuid });

/**
 * Sends one event to its endpoint again, with the same id and body.
 *
 * @throws {DomainError} forbidden below admin, and for agents; not_found; invalid_state while the endpoint is disabled.
 */
export async function resendDelivery(ctx: Ctx, input: z.input<typeof shape>): Promise<WebhookDelivery> {
  requireRole(ctx, "admin");
  const { id } = parseInput(shape, input);
  const { workspaceId } = ctx;
  return ctx.transaction(async (tx) => {
    const { endpointId, eventId } = await findDelivery(tx, id);
    const endpoint = await lockWebhookEndpoint(tx, endpointId);
    if (endpoint.disabledAt !== null) {
      throw new DomainError("invalid_state", "The webhook endpoint is disabled. Enable it first.");
    }
    const delivery = await tx.db.webhookDelivery.update({
      where: { workspaceId_id: { workspaceId, id } },
      data: { status: "pending", attempts: 0, nextAttemptAt: await tx.now() },
    });
    append(tx, describeWebhookEndpoint("webhook_endpoint.resent", endpoint, { event_id: eventId }));
    return delivery;
  });
}

/** @throws {DomainError} not_found. */
export async function findDelivery({ db, ctx }: Transaction, id: string): Promise<WebhookDelivery> {
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const delivery = await db.webhookDelivery.findUnique({ where });
  if (delivery === null) throw createNotFoundError("delivery");
  return delivery;
}
