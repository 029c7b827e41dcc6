import type { EventPosition } from "../domain/event-log/event-cursor.ts";
import type { ResetReason } from "../domain/event-log/read-start.ts";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";
import type { WaitEnd } from "../domain/kernel/live-channel.ts";
import type { EventSlice } from "./event-reads.ts";
import type { Subscription } from "./subscription.ts";

/** What a node knows of a workspace's events while they are followed. */
export type Feed = {
  workspaceId: string;
  epoch: string;
  /** The newest event that this node has read. */
  head: number;
  /** The newest events, up to `head` and without gaps. */
  ring: StoredEvent[];
  /** The subscribers, by group. */
  members: Map<string, Set<Subscription>>;
  waiters: Set<FeedWaiter>;
  /** Whether a delivery is running. `again`: another one is needed after it. */
  delivery: "none" | "runs" | "again";
  /** Since when it has no followers; null while it has some. */
  idleSinceMs: number | null;
};

/** A caller that waits for an event after `after`, of those that concern it. */
export type FeedWaiter = Pick<WaitEnd, "concerns"> & { after: number; wake: () => void };

/** The result of a pull for a feed. */
export type FeedChange =
  | { kind: "events"; events: StoredEvent[]; before: number }
  | { kind: "reset"; reason: ResetReason; isHole: boolean };

/** How many events a ring keeps, and for how long. */
export const RING = { length: 512, ms: 60_000 };

export function createFeed(workspaceId: string, { epoch, head, events }: EventSlice): Feed {
  const ring = isContiguous(events, head - events.length) ? events : [];
  return {
    workspaceId,
    epoch,
    head,
    ring,
    members: new Map(),
    waiters: new Set(),
    delivery: "none",
    idleSinceMs: null,
  };
}

/** Adds pulled events to a feed. The next event must follow `head`; otherwise the result reports a gap. */
export function applySlice(feed: Feed, { epoch, head, minSeq, events }: EventSlice): FeedChange {
  if (epoch !== feed.epoch || head < feed.head) {
    Object.assign(feed, { epoch, head, ring: [] });
    return { kind: "reset", reason: "epoch_changed", isHole: false };
  }
  const before = feed.head;
  const isExpired = minSeq > before + 1;
  if (isExpired || events.length === 0 || !isContiguous(events, before)) {
    Object.assign(feed, { head, ring: [] });
    return { kind: "reset", reason: "cursor_expired", isHole: !isExpired };
  }
  feed.head = before + events.length;
  feed.ring.push(...events);
  if (feed.ring.length > RING.length) feed.ring.splice(0, feed.ring.length - RING.length);
  return { kind: "events", events, before };
}

/** Returns the ring's events after a position; null if the ring starts later. */
export function getEventsAfter({ ring, head }: Feed, seq: number): StoredEvent[] | null {
  const start = head - ring.length;
  return seq < start ? null : ring.slice(seq - start);
}

/** Whether there may be an event that a caller waits for: among those after a position, which is before `head`. */
export function hasNews(
  { after, concerns }: Pick<FeedWaiter, "after" | "concerns">,
  events: readonly StoredEvent[] | null,
): boolean {
  if (concerns === undefined || events === null) return true;
  return events.some((event) => event.seq > after && concerns(event));
}

export function getPosition({ epoch, head }: Feed): EventPosition {
  return { epoch, seq: head };
}

/** Removes old events from the ring. */
export function trimRing(feed: Feed, now: Date): void {
  const oldest = new Date(now.getTime() - RING.ms).toISOString();
  const kept = feed.ring.findIndex(({ occurredAt }) => occurredAt > oldest);
  if (kept !== 0) feed.ring.splice(0, kept === -1 ? feed.ring.length : kept);
}

function isContiguous(events: readonly StoredEvent[], before: number): boolean {
  return events.every(({ seq }, index) => seq === before + index + 1);
}
