import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { describeWebhookEndpoint, lockWebhookEndpoint } from "./change-webhook-endpoints.ts";
import { readLogHead } from "./read-log-head.ts";

/**
 * Tells by an event that an endpoint misses events, because they were deleted from the log before they could be
 * delivered, and goes on with the oldest one that is kept. For the sender.
 *
 * @throws {DomainError} not_found.
 */
export async function noteLostEvents(ctx: Ctx, { id }: { id: string }): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { cursorSeq, seek, ...endpoint } = await lockWebhookEndpoint(tx, id);
    const { minSeq } = await readLogHead(tx);
    if (cursorSeq >= minSeq - 1n) return;
    await tx.db.webhookEndpoint.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } },
      data: { cursorSeq: minSeq - 1n, seek: seek + 1 },
    });
    const lost = { after_seq: Number(cursorSeq), before_seq: Number(minSeq) };
    append(tx, describeWebhookEndpoint("webhook_endpoint.events_lost", endpoint, lost));
  });
}
