import type { Logger } from "pino";
import type { LiveDatabase } from "../db/notifications.ts";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";
import { type DeliveryParts, deliver, listSubscribers, sendReset } from "./delivery.ts";
import { pullEvents } from "./event-reads.ts";
import { type FeedChange, type Feed, applySlice, hasNews } from "./feed.ts";
import type { LiveMetrics } from "./metrics.ts";
import type { Turns } from "../domain/kernel/turns.ts";

/** The services of pulling. */
export type PullParts = DeliveryParts & {
  database: LiveDatabase;
  turns: Turns;
  log: Logger;
  metrics: LiveMetrics;
  /** PostgreSQL's time. */
  clock: () => Date;
  /** Requests another pull. */
  wake: (workspaceIds: readonly string[]) => void;
};

/**
 * Reads new events of workspaces and starts to deliver them. Skips feeds whose last delivery is still
 * running: the log keeps their events.
 */
export async function pullFeeds(feeds: readonly Feed[], parts: PullParts): Promise<void> {
  for (const feed of feeds) if (feed.delivery === "runs") feed.delivery = "again";
  const idle = new Map(
    feeds.filter(({ delivery }) => delivery === "none").map((feed) => [feed.workspaceId, feed]),
  );
  if (idle.size === 0) return;
  const { slices, limit } = await pullEvents(parts.database, [...idle.values()]);
  for (const [workspaceId, slice] of slices) {
    const feed = idle.get(workspaceId);
    if (feed === undefined) continue;
    const change = applySlice(feed, slice);
    // After a restore, the log may be shorter than what waiters expect.
    wakeWaiters(feed, change.kind === "events" ? change.events : null);
    feed.delivery = slice.events.length === limit ? "again" : "runs";
    deliverChange(feed, change, parts).catch((error: unknown) => {
      parts.log.error({ err: error, workspaceId }, "events could not be delivered");
    });
  }
}

/** Wakes the waiters whom one of these new events concerns; all of them for null. */
export function wakeWaiters({ waiters, head }: Feed, events: readonly StoredEvent[] | null): void {
  for (const waiter of waiters) {
    if (events === null || (head > waiter.after && hasNews(waiter, events))) waiter.wake();
  }
}

async function deliverChange(feed: Feed, change: FeedChange, parts: PullParts): Promise<void> {
  const { workspaceId } = feed;
  try {
    if (change.kind === "events") {
      noteLag(change.events, parts);
      await parts.turns.run(workspaceId, deliver(feed, change, parts));
    } else {
      noteReset(change, feed, parts);
      await parts.turns.run(workspaceId, sendReset(feed, change.reason));
    }
  } finally {
    const isMore = feed.delivery === "again";
    feed.delivery = "none";
    if (isMore) parts.wake([workspaceId]);
  }
}

function noteReset(
  { reason, isHole }: Extract<FeedChange, { kind: "reset" }>,
  feed: Feed,
  { metrics, log }: PullParts,
): void {
  const { workspaceId, head } = feed;
  metrics.resets.inc({ reason }, listSubscribers(feed).length);
  if (!isHole) return;
  metrics.holes.inc();
  log.error({ workspaceId, head }, "an event is missing from the workspace's log");
}

function noteLag(events: readonly StoredEvent[], { metrics, clock }: PullParts): void {
  const nowMs = clock().getTime();
  metrics.pulled.inc(events.length);
  // The clock is from the last pull, so it may be slightly behind.
  for (const { occurredAt } of events)
    metrics.lag.observe(Math.max(0, nowMs - Date.parse(occurredAt)) / 1000);
}
