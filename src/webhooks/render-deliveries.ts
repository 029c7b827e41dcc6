import { readSubjectLabels } from "../domain/event-log/read-subject-labels.ts";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";
import type { Ctx } from "../domain/kernel/context.ts";
import { describeForChat, renderChatMessage } from "../domain/webhooks/chat-message.ts";
import { renderCloudEvent } from "../domain/webhooks/cloud-event.ts";
import type { HeldEndpoint, PendingDelivery } from "./endpoint-statements.ts";
import type { WebhookServices } from "./webhook-services.ts";

type Sender = { ctx: Ctx; services: WebhookServices; endpoint: Pick<HeldEndpoint, "kind"> };

/** Renders what an endpoint gets of these events: a chat only those that people need to know. */
export async function renderDeliveries(
  { ctx, services, endpoint }: Sender,
  events: readonly StoredEvent[],
): Promise<PendingDelivery[]> {
  if (endpoint.kind === "events") {
    return events.map((event) => toDelivery(event, renderCloudEvent(ctx.workspaceId, event)));
  }
  const labels = await readSubjectLabels(ctx, events.map(toKey));
  return events.flatMap((event) => {
    const message = describeForChat(event, labels.get(toKey(event)) ?? null);
    return message === null ? [] : [toDelivery(event, renderChatMessage(message, services.baseUrl()))];
  });
}

function toKey({ subjectType, subjectId }: StoredEvent): string {
  return `${subjectType} ${subjectId}`;
}

function toDelivery(
  { id: eventId, seq, type: eventType, subjectId }: StoredEvent,
  body: string,
): PendingDelivery {
  return { eventId, seq, eventType, subjectId, body, attempts: 0, dueInMs: null };
}
