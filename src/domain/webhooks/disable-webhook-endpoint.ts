import type { WebhookDisabling } from "../../db/generated/enums.ts";
import { sql } from "../../db/sql.ts";
import { queueEmail } from "../emails/queue-email.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { describeWebhookEndpoint, lockWebhookEndpoint } from "./change-webhook-endpoints.ts";
import { parkPending } from "./set-pending.ts";

type Because = Exclude<WebhookDisabling, "person">;

/**
 * Disables an endpoint that does not take its events, and tells the admins by email. What is pending waits until
 * somebody enables it. For the sender.
 *
 * @throws {DomainError} not_found.
 */
export async function disableWebhookEndpoint(
  ctx: Ctx,
  { id, because }: { id: string; because: Because },
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const before = await lockWebhookEndpoint(tx, id);
    if (before.disabledAt !== null) return;
    const now = await tx.now();
    const endpoint = await tx.db.webhookEndpoint.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } },
      data: {
        disabledBecause: because,
        disabledAt: now,
        generation: { increment: 1 },
        updatedBy: createActorRecord(ctx.actor),
        updatedAt: now,
      },
    });
    await parkPending(tx, id);
    await tellAdmins(tx, { endpointId: id, host: new URL(endpoint.url).host, because });
    append(tx, describeWebhookEndpoint("webhook_endpoint.disabled", endpoint, { because }));
  });
}

async function tellAdmins(
  tx: Transaction,
  data: { endpointId: string; host: string; because: Because },
): Promise<void> {
  for (const { userId, sentTo, authEpoch } of await tx.run(LIST_ADMINS, [tx.ctx.workspaceId])) {
    await queueEmail(tx, { userId, kind: "webhook_disabled", sentTo, authEpoch, data });
  }
}

const LIST_ADMINS = sql<{ userId: string; sentTo: string; authEpoch: number }>`
SELECT id AS "userId", email AS "sentTo", auth_epoch AS "authEpoch" FROM "user"
WHERE workspace_id = $1::uuid AND role IN ('owner', 'admin') AND email IS NOT NULL
  AND suspended_at IS NULL AND deleted_at IS NULL
ORDER BY id LIMIT 100`;
