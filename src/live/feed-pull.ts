import type { Logger } from "pino";
import type { LiveDatabase } from "../db/notifications.ts";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";
import { type DeliveryParts, deliver, listSubscribers, sendReset } from "./delivery.ts";
import { pullEvents } from "./event-reads.ts";
import { type FeedChange, type Feed, applySlice } from "./feed.ts";
import type { LiveMetrics } from "./metrics.ts";
import type { Turns } from "./turns.ts";

/** What pulling works with. */
export type PullParts = DeliveryParts & {
  database: LiveDatabase;
  turns: Turns;
  log: Logger;
  metrics: LiveMetrics;
  /** PostgreSQL's time. */
  clock: () => Date;
  /** Asks for another look. */
  wake: (workspaceIds: readonly string[]) => void;
};

/**
 * Reads what is new in workspaces and begins to hand it on. One whose last events are still being written to its
 * members is left for later: its log is the queue.
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
    // A history that has replaced another may be shorter than what somebody waits for.
    wakeWaiters(feed, change.kind === "events" ? feed.head : Infinity);
    feed.delivery = slice.events.length === limit ? "again" : "runs";
    deliverChange(feed, change, parts).catch((error: unknown) => {
      parts.log.error({ err: error, workspaceId }, "events could not be delivered");
    });
  }
}

/** Wakes those who wait for an event up to this one. */
export function wakeWaiters({ waiters }: Feed, head: number): void {
  for (const { after, wake } of waiters) if (head > after) wake();
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
  log.error({ workspaceId, head }, "an event is missing from its workspace's order");
}

function noteLag(events: readonly StoredEvent[], { metrics, clock }: PullParts): void {
  const nowMs = clock().getTime();
  metrics.pulled.inc(events.length);
  // The clock is as it was seen at the last look: it may be a little behind.
  for (const { occurredAt } of events)
    metrics.lag.observe(Math.max(0, nowMs - Date.parse(occurredAt)) / 1000);
}
