import type { Logger } from "pino";
import type { LiveDatabase } from "../db/notifications.ts";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";
import type { WaitEnd } from "../domain/live-channel.ts";
import { catchUp } from "./catch-up.ts";
import { deliver, membersOf, tellCheckpoint, tellReset } from "./delivery.ts";
import { type EventSlice, pullEvents } from "./event-reads.ts";
import { type FeedStore, createFeedStore } from "./feed-store.ts";
import { type Feed, heldAfter, takeIn, trimRing } from "./feed.ts";
import type { LiveMetrics } from "./metrics.ts";
import { createPageReader } from "./page-reader.ts";
import { createPullLoop } from "./pull-loop.ts";
import type { Subscription } from "./subscription.ts";

/** Follows the events of every workspace that somebody here wants to know of. */
export type Feeds = {
  /** Looks for events in these workspaces now. */
  wake: (workspaceIds: readonly string[] | "all") => void;
  /** Adds a subscriber, who gets everything after his place from now on. */
  join: (subscription: Subscription) => Promise<void>;
  leave: (subscription: Subscription) => void;
  /** Told that a subscriber's outlet is not full any more. */
  drained: (subscription: Subscription) => void;
  /** Waits for an event after this one, or until the end. */
  wait: (workspaceId: string, after: number, end: WaitEnd) => Promise<void>;
  /** The workspace's events after this one, where they are all at hand. */
  held: (workspaceId: string, after: number) => readonly StoredEvent[] | null;
  /** Told about every second: checkpoints, and what nobody follows any more goes. */
  tick: (now: Date) => void;
  /** Ends every wait, those of the future too. */
  endWaits: () => void;
  stop: () => Promise<void>;
};

const POLL_MS = 250;
const CHECKPOINT_TICKS = 25;

/** What feeds are told of, and tell of themselves. */
export type FeedServices = {
  log: Logger;
  metrics: LiveMetrics;
  /** PostgreSQL's time. */
  clock: () => Date;
};

/** Starts to follow events; without anybody who wants them it only keeps time. */
export function createFeeds(database: LiveDatabase, services: FeedServices): Feeds {
  const { log, metrics } = services;
  const store = createFeedStore(database);
  const { open } = store;
  const sources = { feedOf: (id: string) => open.get(id), readPage: createPageReader(database), ...services };
  const loop = createPullLoop((ids) => pull(database, feedsIn(store, ids), { ...services, bring }), log);
  const poll = setInterval(() => loop.wake(open.keys()), POLL_MS);
  let waitsEnded = false;
  let ticks = 0;

  function bring(member: Subscription): void {
    catchUp(member, sources);
  }

  return {
    wake: (workspaceIds) => loop.wake(workspaceIds === "all" ? open.keys() : workspaceIds),
    join: async (subscription) => {
      const feed = await store.follow(subscription.workspaceId);
      if (subscription.state === "ended") return;
      join(feed, subscription);
      bring(subscription);
    },
    leave: (subscription) => leave(store, subscription),
    drained: (subscription) => {
      if (subscription.state === "waiting") bring(subscription);
    },
    wait: async (workspaceId, after, end) => {
      const feed = await store.follow(workspaceId);
      if (!waitsEnded && feed.head <= after) await untilWoken(feed, after, end);
    },
    held: (workspaceId, after) => heldIn(open.get(workspaceId), after),
    tick: (now) => {
      for (const feed of open.values()) {
        trimRing(feed, now);
        store.dropIdle(feed);
        membersOf(feed)
          .filter(({ state }) => state === "waiting")
          .forEach(bring);
      }
      if (++ticks % CHECKPOINT_TICKS === 0) tellCheckpoints(open);
      measure(open, metrics);
    },
    endWaits: () => {
      waitsEnded = true;
      for (const feed of open.values()) wakeWaiters(feed, Infinity);
    },
    stop: async () => {
      clearInterval(poll);
      await loop.stop();
    },
  };
}

function heldIn(feed: Feed | undefined, after: number): readonly StoredEvent[] | null {
  return feed === undefined ? null : heldAfter(feed, after);
}

function tellCheckpoints(open: ReadonlyMap<string, Feed>): void {
  for (const feed of open.values()) membersOf(feed).forEach(tellCheckpoint);
}

function measure(open: ReadonlyMap<string, Feed>, metrics: LiveMetrics): void {
  const feeds = [...open.values()];
  const groups = feeds.flatMap(({ members }) => [...members.values()]);
  metrics.workspaces.set(feeds.length);
  metrics.groups.set(groups.length);
  metrics.subscriptions.set(groups.reduce((sum, { size }) => sum + size, 0));
  metrics.waits.set(feeds.reduce((sum, { waiters }) => sum + waiters.size, 0));
}

type Handling = FeedServices & { bring: (member: Subscription) => void };

function feedsIn({ open }: FeedStore, workspaceIds: ReadonlySet<string>): Map<string, Feed> {
  const feeds = [...workspaceIds].flatMap((id) => open.get(id) ?? []);
  return new Map(feeds.map((feed) => [feed.workspaceId, feed]));
}

/** Reads what is new and hands it on. @returns the workspaces that have more. */
async function pull(
  database: LiveDatabase,
  feeds: ReadonlyMap<string, Feed>,
  handling: Handling,
): Promise<string[]> {
  if (feeds.size === 0) return [];
  const { slices, limit } = await pullEvents(database, [...feeds.values()]);
  for (const [workspaceId, slice] of slices) {
    const feed = feeds.get(workspaceId);
    if (feed !== undefined) await take(feed, slice, handling);
  }
  return [...slices].filter(([, { events }]) => events.length === limit).map(([id]) => id);
}

/** Takes in what was pulled, and tells everybody who follows the feed. */
async function take(feed: Feed, slice: EventSlice, handling: Handling): Promise<void> {
  const change = takeIn(feed, slice);
  if (change.kind === "events") {
    noteLag(change.events, handling);
    await deliver(feed, change, handling);
  } else {
    const { workspaceId, head } = feed;
    if (change.isHole) {
      handling.metrics.holes.inc();
      handling.log.error({ workspaceId, head }, "an event is missing from its workspace's order");
    }
    tellReset(feed, change.reason);
    handling.metrics.resets.inc({ reason: change.reason }, membersOf(feed).length);
  }
  // A history that has replaced another may be shorter than what somebody waits for.
  wakeWaiters(feed, change.kind === "events" ? feed.head : Infinity);
}

function noteLag(events: readonly StoredEvent[], { metrics, clock }: Handling): void {
  const nowMs = clock().getTime();
  metrics.pulled.inc(events.length);
  // The clock is as it was seen at the last look: it may be a little behind.
  for (const { occurredAt } of events)
    metrics.lag.observe(Math.max(0, nowMs - Date.parse(occurredAt)) / 1000);
}

function wakeWaiters({ waiters }: Feed, head: number): void {
  for (const { after, wake } of waiters) if (head > after) wake();
}

/** Whoever is in a group already shares what it has rendered. */
function join({ members }: Feed, subscription: Subscription): void {
  const { key } = subscription.group;
  const group = members.get(key) ?? new Set();
  members.set(key, group.add(subscription));
  const [first = subscription] = group;
  subscription.group = first.group;
}

function leave({ open }: FeedStore, subscription: Subscription): void {
  subscription.state = "ended";
  const { workspaceId, group } = subscription;
  const members = open.get(workspaceId)?.members;
  members?.get(group.key)?.delete(subscription);
  if (members?.get(group.key)?.size === 0) members.delete(group.key);
}

function untilWoken({ waiters }: Feed, after: number, { afterMs, signal }: WaitEnd): Promise<void> {
  return new Promise((resolve) => {
    const waiter = { after, wake };
    const timer = setTimeout(wake, afterMs);
    waiters.add(waiter);
    signal?.addEventListener("abort", wake, { once: true });
    if (signal?.aborted === true) wake();
    function wake(): void {
      clearTimeout(timer);
      waiters.delete(waiter);
      signal?.removeEventListener("abort", wake);
      resolve();
    }
  });
}
