import { z } from "zod";
import type { WebhookEndpoint } from "../../db/generated/client.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireSudo } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { describeWebhookEndpoint, lockWebhookEndpoint } from "./change-webhook-endpoints.ts";
import { readLogHead } from "./read-log-head.ts";
import { findDelivery } from "./resend-delivery.ts";
import { releasePending, skipPending } from "./set-pending.ts";

const shape = z.object({ id: uuid });

/**
 * Sends the event of a delivery and all that came after it again, as far as the endpoint gets their types, and enables
 * it if it is disabled.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found; invalid_state for a test, and
 *   if the log no longer has all of these events.
 */
export async function resendFromDelivery(ctx: Ctx, input: z.input<typeof shape>): Promise<WebhookEndpoint> {
  requireSudo(ctx, "admin");
  const { id } = parseInput(shape, input);
  const { workspaceId } = ctx;
  return ctx.transaction(async (tx) => {
    const { endpointId, seq, eventId } = await findDelivery(tx, id);
    if (seq === 0n) throw new DomainError("invalid_state", "A test event is not in the log.");
    await lockWebhookEndpoint(tx, endpointId);
    const { minSeq } = await readLogHead(tx);
    if (seq < minSeq) {
      throw new DomainError("invalid_state", "The log no longer has this event. Send it again by itself.");
    }
    await skipPending(tx, endpointId, Number(seq));
    await releasePending(tx, endpointId);
    const endpoint = await tx.db.webhookEndpoint.update({
      where: { workspaceId_id: { workspaceId, id: endpointId } },
      data: {
        ...{ cursorSeq: seq - 1n, seek: { increment: 1 }, isHeld: false },
        ...{ disabledBecause: null, disabledAt: null },
        generation: { increment: 1 },
        updatedBy: createActorRecord(ctx.actor),
        updatedAt: await tx.now(),
      },
    });
    append(tx, describeWebhookEndpoint("webhook_endpoint.resent", endpoint, { from_event_id: eventId }));
    return endpoint;
  });
}
