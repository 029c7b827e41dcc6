import { z } from "zod";
import type { WebhookEndpoint } from "../../db/generated/client.ts";
import { createActorRecord } from "../../domain/kernel/actor.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";
import { parseInput, uuid, wholeNumber } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import {
  describeWebhookEndpoint,
  lockWebhookEndpoint,
} from "../../domain/webhooks/change-webhook-endpoints.ts";
import { getSealedPlace } from "../secrets/sealed-columns.ts";
import {
  PREVIOUS_SECRET,
  SECRET,
  createWebhookSecret,
  requireSealedBox,
  sealWebhookSecret,
} from "./webhook-secret.ts";

const shape = z.object({
  id: uuid,
  overlapSeconds: wholeNumber(LIMITS.webhookOverlapSeconds).default(LIMITS.webhookOverlapSeconds.default),
});

/** An endpoint, and its new secret, which is returned only here. */
type RotatedWebhookSecret = { endpoint: WebhookEndpoint; secret: string };

/**
 * Gives an endpoint a new secret. The one before signs too until the overlap ends, a day by default; one before that
 * signs no more.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found; validation_failed;
 *   invalid_state for a chat, and if the server has no key for secrets.
 */
export async function rotateWebhookSecret(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<RotatedWebhookSecret> {
  requireSudo(ctx, "admin");
  const { id, overlapSeconds } = parseInput(shape, input);
  const own = { workspaceId: ctx.workspaceId, id };
  const secret = createWebhookSecret();
  return ctx.transaction(async (tx) => {
    const before = await lockWebhookEndpoint(tx, id);
    if (before.kind === "chat") {
      throw new DomainError("invalid_state", "A chat's secret is its URL. Change the URL instead.");
    }
    const box = requireSealedBox(ctx);
    const now = await tx.now();
    const previous = overlapSeconds === 0 ? null : box.open(before.sealedSecret, getSealedPlace(SECRET, own));
    const endpoint = await tx.db.webhookEndpoint.update({
      where: { workspaceId_id: own },
      data: {
        sealedSecret: sealWebhookSecret(box, own, secret),
        sealedPreviousSecret:
          previous === null ? null : box.seal(previous, getSealedPlace(PREVIOUS_SECRET, own)),
        previousSecretEndsAt: previous === null ? null : new Date(now.getTime() + overlapSeconds * 1000),
        generation: { increment: 1 },
        updatedBy: createActorRecord(ctx.actor),
        updatedAt: now,
      },
    });
    const told = { overlap_seconds: previous === null ? 0 : overlapSeconds };
    append(tx, describeWebhookEndpoint("webhook_endpoint.secret_rotated", endpoint, told));
    return { endpoint, secret };
  });
}
