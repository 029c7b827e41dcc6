import { v7 as uuidv7 } from "uuid";
import { createWebhookEndpoint } from "../../src/auth/webhooks/create-webhook-endpoint.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../../src/db/generated/client.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { createActorRecord } from "../../src/domain/kernel/actor.ts";
import { append } from "../../src/domain/kernel/events.ts";
import type { TestDatabase } from "./database.ts";

/** What servers need to send webhooks to loopback. */
export const WEBHOOK_ENVIRONMENT = {
  OUTBOUND_ALLOW: "127.0.0.0/8",
  SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
};

/** Adds an endpoint for these types of events. */
export async function addEndpoint(
  ctx: Ctx,
  url: string,
  eventTypes: string[] = ["probe.*"],
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const { endpoint, secret } = await createWebhookEndpoint(ctx, { url, eventTypes });
  return { endpoint, secret: secret ?? "" };
}

/** Writes events about these subjects, in this order, in one transaction. */
export async function writeEvents(
  ctx: Ctx,
  subjects: readonly string[],
  type = "probe.moved",
): Promise<void> {
  await ctx.transaction(async (tx) => {
    append(tx, {
      events: subjects.map((subjectId, index) => ({
        type,
        subjectType: "agent",
        subjectId,
        data: { index },
      })),
    });
  });
}

/** Lets the time of all waits for another attempt pass. */
export async function passRetryTime(database: TestDatabase): Promise<void> {
  await database.query(
    "UPDATE webhook_delivery SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL",
  );
}

/** The deliveries to an endpoint, oldest first. */
export async function listDeliveries(ctx: Ctx, endpointId: string): Promise<WebhookDelivery[]> {
  return ctx.db.webhookDelivery.findMany({ where: { endpointId }, orderBy: { seq: "asc" } });
}

/** How many events of a subject were received before one that the log has before them. */
export function countDisorder(
  received: readonly { id: string; subject: string; sequence: string | undefined }[],
) {
  const first = new Map(received.toReversed().map((one) => [one.id, one]));
  const newest = new Map<string, string>();
  let disorder = 0;
  for (const one of received) {
    if (first.get(one.id) !== one) continue;
    const sequence = one.sequence ?? "";
    if (sequence < (newest.get(one.subject) ?? "")) disorder++;
    newest.set(one.subject, sequence);
  }
  return disorder;
}

export type WebhookId = "webhookEndpoint" | "webhookDelivery";

/** An endpoint that is disabled, and an event in the log that was delivered to it. Needs no key for secrets. */
export async function insertWebhook(ctx: Ctx, word: string): Promise<Record<WebhookId, string>> {
  const { workspaceId } = ctx;
  const by = createActorRecord(ctx.actor);
  const endpoint = await ctx.db.webhookEndpoint.create({
    data: {
      ...{ workspaceId, id: uuidv7(), url: `https://${word}.example/`, description: word, eventTypes: ["*"] },
      ...{ sealedSecret: Buffer.from(word), cursorSeq: 0, disabledBecause: "person", disabledAt: new Date() },
      ...{ createdBy: by, updatedBy: by },
    },
  });
  const event = await ctx.db.event.findFirstOrThrow({ orderBy: { seq: "desc" } });
  const delivery = await ctx.db.webhookDelivery.create({
    data: {
      ...{
        workspaceId,
        id: uuidv7(),
        endpointId: endpoint.id,
        eventId: event.id,
        seq: event.seq,
        body: word,
      },
      ...{ eventType: event.type, subjectId: event.subjectId, status: "delivered", attempts: 1 },
    },
  });
  return { webhookEndpoint: endpoint.id, webhookDelivery: delivery.id };
}
