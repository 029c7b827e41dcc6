import { z } from "zod";
import type { WebhookEndpoint } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireSudo } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { describeWebhookEndpoint, lockWebhookEndpoint } from "./change-webhook-endpoints.ts";

const shape = z.object({ id: uuid });

/**
 * Deletes an endpoint with its deliveries and secrets. Requests under way go on.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found.
 */
export async function deleteWebhookEndpoint(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<WebhookEndpoint> {
  requireSudo(ctx, "admin");
  const { id } = parseInput(shape, input);
  const { workspaceId } = ctx;
  return ctx.transaction(async (tx) => {
    const endpoint = await lockWebhookEndpoint(tx, id);
    await tx.db.webhookEndpoint.delete({ where: { workspaceId_id: { workspaceId, id } } });
    append(tx, describeWebhookEndpoint("webhook_endpoint.deleted", endpoint, { url: endpoint.url }));
    return endpoint;
  });
}
