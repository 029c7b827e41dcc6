import { type EventFilter, isWanted } from "../domain/event-log/event-filter.ts";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";
import { type Ctx, openCtx, systemCaller } from "../domain/kernel/context.ts";
import { disableWebhookEndpoint } from "../domain/webhooks/disable-webhook-endpoint.ts";
import { noteLostEvents } from "../domain/webhooks/note-lost-events.ts";
import type { Receiver } from "./attempt-delivery.ts";
import { type Delivered, deliverChains, toWaiting } from "./deliver-chains.ts";
import {
  type DeliveryRecord,
  type HeldEndpoint,
  type PendingDelivery,
  PENDING,
  READ_AT_ONCE,
  RECORD,
  RELEASE,
} from "./endpoint-statements.ts";
import { createReceiver } from "./create-receiver.ts";
import { type Pending, applyRecords, findNextDueMs, isDue } from "./pending.ts";
import { type News, createEndpointFilter, readNews } from "./read-news.ts";
import { renderDeliveries } from "./render-deliveries.ts";
import { toChains } from "./send-in-order.ts";
import type { WebhookServices } from "./webhook-services.ts";

/** The right of this node to send to an endpoint. `signal`: it is over. `isCrowded`: others may wait for its place. */
export type Lease = { token: string; signal: AbortSignal; isCrowded: () => boolean };

/**
 * Sends to an endpoint that was taken, and ends its lease. Returns whether it must be looked at again at once.
 */
export type RunEndpoint = typeof runEndpoint;

type Parts = {
  ctx: Ctx;
  services: WebhookServices;
  endpoint: HeldEndpoint;
  lease: Lease;
  filter: EventFilter;
  receiver: Receiver;
  /** When the turn is over, by `performance.now()`. */
  endMs: number;
};

/** Where sending is. `pending` is null if it must be read. */
type Place = { cursor: number; isHeld: boolean; pending: Pending | null; mustEnd: boolean };

/** How long an endpoint without news is kept, so that the next ones need not be taken first. */
const LINGER_MS = 2000;
/** Then others have their turn. */
const TURN_MS = 30_000;
/** With more deliveries that are pending, no new events are read. */
const MOST_PENDING = 100;

/**
 * Sends an endpoint its events until there are none for a while, and ends the lease.
 *
 * @returns whether it must be looked at again at once.
 */
export async function runEndpoint(
  services: WebhookServices,
  endpoint: HeldEndpoint,
  lease: Lease,
): Promise<boolean> {
  const { workspaceId, id, seek } = endpoint;
  const ctx = openCtx(services, systemCaller(workspaceId, "webhook delivery"));
  const receiver = createReceiver(endpoint, services.sealedBox);
  const filter = createEndpointFilter(ctx, endpoint);
  const endMs = performance.now() + TURN_MS;
  const parts = { ctx, services, endpoint, lease, filter, receiver, endMs };
  const place: Place = { cursor: endpoint.cursor, isHeld: endpoint.isHeld, pending: null, mustEnd: false };
  try {
    let activeMs = performance.now();
    while (!place.mustEnd && !lease.signal.aborted && performance.now() < endMs) {
      if (await sendNext(parts, place)) activeMs = performance.now();
      else if (!(await waitForMore(parts, place, activeMs + LINGER_MS))) break;
    }
    return place.mustEnd || performance.now() >= endMs;
  } finally {
    await ctx.run(RELEASE, [workspaceId, id, lease.token, seek, place.cursor]);
  }
}

/** Sends what is due, or else what is new. @returns false if there is neither. */
async function sendNext(parts: Parts, place: Place): Promise<boolean> {
  const pending = (place.pending ??= await readPending(parts));
  const due = toChains(pending.deliveries).filter((chain) => isDue(chain, pending.readAtMs));
  if (due.length > 0) {
    await sendPending(parts, place, due);
    return true;
  }
  if (place.isHeld) return false;
  const { ctx, endpoint, filter } = parts;
  const news = await readNews(ctx, { endpointId: endpoint.id, after: place.cursor, filter });
  if (news.isLost) {
    await noteLostEvents(ctx, endpoint);
    place.mustEnd = true;
    return true;
  }
  if (news.events.length > 0) await sendNews(parts, { place, news, pending });
  else place.cursor = news.cursor;
  // Then it may be another one than when it was taken.
  place.mustEnd ||= news.hasOwn;
  return news.events.length > 0 || news.hasOwn;
}

async function readPending({ ctx, endpoint }: Parts): Promise<Pending> {
  const deliveries = await ctx.read(PENDING, [endpoint.workspaceId, endpoint.id]);
  return { deliveries, readAtMs: performance.now(), isWhole: deliveries.length < READ_AT_ONCE };
}

async function sendPending(
  parts: Parts,
  place: Place,
  chains: readonly (readonly PendingDelivery[])[],
): Promise<void> {
  const delivered = await deliver(parts, chains);
  const left = (place.pending?.deliveries.length ?? 0) - count(delivered.records, "delivered");
  const isHeld = left >= MOST_PENDING || (place.isHeld && !delivered.hasSuccess);
  await record(parts, place, { ...delivered, cursor: place.cursor, isHeld });
}

/** Events of subjects of which some are pending wait behind them. */
async function sendNews(
  parts: Parts,
  { place, news, pending }: { place: Place; news: News; pending: Pending },
): Promise<void> {
  const blocked = new Set(pending.deliveries.map(({ subjectId }) => subjectId));
  const items = await renderDeliveries(parts, news.events);
  const free = items.filter(({ subjectId }) => !blocked.has(subjectId));
  const delivered = await deliver(parts, toChains(free));
  const waiting = items.filter(({ subjectId }) => blocked.has(subjectId)).map(toWaiting);
  const end = delivered.firstUnfinished ?? Infinity;
  // What comes after the first unfinished event is read again with it.
  const records = [...delivered.records, ...waiting].filter(({ seq }) => seq < end);
  const left = pending.deliveries.length + count(records, "pending");
  const isHeld = delivered.isDown || left >= MOST_PENDING;
  const cursor = Math.min(news.cursor, end - 1);
  await record(parts, place, { ...delivered, records, cursor, isHeld });
}

function deliver(
  { services, receiver, lease, endMs }: Parts,
  chains: readonly (readonly PendingDelivery[])[],
): Promise<Delivered> {
  const { outbound, measures } = services;
  return deliverChains(chains, { outbound, measures, receiver, signal: lease.signal, endMs });
}

function count(records: readonly DeliveryRecord[], status: DeliveryRecord["status"]): number {
  return records.filter((one) => one.status === status).length;
}

type Recorded = Delivered & { cursor: number; isHeld: boolean };

async function record(parts: Parts, place: Place, recorded: Recorded): Promise<void> {
  const { ctx, endpoint, lease } = parts;
  const { workspaceId, id, seek, generation } = endpoint;
  const { records, cursor, isHeld, disabledBecause } = recorded;
  const values = [workspaceId, id, lease.token, seek, cursor, isHeld, JSON.stringify(records)];
  const [kept] = await ctx.run(RECORD, values);
  if (kept === undefined) {
    place.mustEnd = true;
    return;
  }
  Object.assign(place, { cursor, isHeld });
  if (kept.generation !== generation) place.mustEnd = true;
  if (place.pending !== null) place.pending = keepPending(place.pending, records);
  if (disabledBecause === null) return;
  await disableWebhookEndpoint(ctx, { id, because: disabledBecause });
  place.mustEnd = true;
}

/** Null if there may be more that were not read. */
function keepPending(pending: Pending, records: readonly DeliveryRecord[]): Pending | null {
  const kept = applyRecords(pending, records, performance.now());
  return pending.isWhole || kept.deliveries.length >= MOST_PENDING ? kept : null;
}

/** Waits for news, for a retry or for a change of the endpoint. @returns false if it is not worth it. */
async function waitForMore(parts: Parts, place: Place, untilMs: number): Promise<boolean> {
  const { services, endpoint, lease, filter } = parts;
  if (lease.isCrowded()) return false;
  const dueMs = findNextDueMs(place.pending);
  const leftMs = Math.min(untilMs, dueMs) - performance.now();
  if (dueMs > untilMs && (leftMs <= 0 || place.isHeld)) return false;
  const from = place.cursor;
  // Then the wait would end at once, again and again. It is taken again for what is due.
  if (place.isHeld && services.live.getHeldEvents(endpoint.workspaceId, from) === null) return false;
  await services.live.waitForEvents(endpoint.workspaceId, from, {
    afterMs: Math.max(0, leftMs),
    signal: lease.signal,
    concerns: (event) => isOwn(parts, event) || (!place.isHeld && isWanted(filter, event)),
  });
  const events = services.live.getHeldEvents(endpoint.workspaceId, from) ?? [];
  if (place.isHeld && events.some((event) => isOwn(parts, event))) place.mustEnd = true;
  return true;
}

function isOwn({ endpoint }: Parts, { subjectId }: StoredEvent): boolean {
  return subjectId === endpoint.id;
}
