import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { WebhookDelivery } from "../../db/generated/client.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { describeWebhookEndpoint, lockWebhookEndpoint } from "./change-webhook-endpoints.ts";
import { renderChatTest } from "./chat-message.ts";
import { renderTestEvent } from "./cloud-event.ts";

const shape = z.object({ id: uuid });

/**
 * Sends an event of the type `webhook_endpoint.test` to an endpoint, whatever types it gets. It is attempted like
 * others, and listed with the deliveries.
 *
 * @throws {DomainError} forbidden below admin, and for agents; not_found; invalid_state while it is disabled.
 */
export async function sendTestEvent(ctx: Ctx, input: z.input<typeof shape>): Promise<WebhookDelivery> {
  requireRole(ctx, "admin");
  const { id: endpointId } = parseInput(shape, input);
  const { workspaceId } = ctx;
  return ctx.transaction(async (tx) => {
    const endpoint = await lockWebhookEndpoint(tx, endpointId);
    if (endpoint.disabledAt !== null) {
      throw new DomainError("invalid_state", "The webhook endpoint is disabled. Enable it first.");
    }
    const now = await tx.now();
    const eventId = uuidv7();
    const test = { workspaceId, endpointId, eventId, actor: createActorRecord(ctx.actor), at: now };
    const delivery = await tx.db.webhookDelivery.create({
      data: {
        ...{ workspaceId, endpointId, eventId, id: uuidv7(), seq: 0n, subjectId: eventId },
        eventType: "webhook_endpoint.test",
        body: endpoint.kind === "chat" ? renderChatTest(test.actor.name) : renderTestEvent(test),
        ...{ status: "pending", attempts: 0, nextAttemptAt: now, createdAt: now },
      },
    });
    append(tx, describeWebhookEndpoint("webhook_endpoint.tested", endpoint));
    return delivery;
  });
}
