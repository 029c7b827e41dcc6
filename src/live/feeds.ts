import type { Logger } from "pino";
import type { LiveDatabase } from "../db/notifications.ts";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";
import type { WaitEnd } from "../domain/kernel/live-channel.ts";
import { catchUp } from "./catch-up.ts";
import { listSubscribers, sendCheckpoints } from "./delivery.ts";
import { pullFeeds, wakeWaiters } from "./feed-pull.ts";
import { type FeedStore, createFeedStore } from "./feed-store.ts";
import { type Feed, getEventsAfter, hasNews, trimRing } from "./feed.ts";
import type { LiveMetrics } from "./metrics.ts";
import { createPageReader } from "./page-reader.ts";
import { createPullLoop } from "./pull-loop.ts";
import { type RenderedFrames, createRenderedFrames } from "./rendered-frames.ts";
import type { Subscription } from "./subscription.ts";
import { type Turns, createTurns } from "../domain/kernel/turns.ts";

/** Follows the events of all workspaces with followers on this node. */
export type Feeds = {
  /** Runs other work for a workspace's subscribers, in fair turns between workspaces. */
  takeTurn: Turns["run"];
  /** Pulls events of these workspaces now. */
  wake: (workspaceIds: readonly string[] | "all") => void;
  /** Adds a subscriber. It gets all events after its position. */
  join: (subscription: Subscription) => Promise<void>;
  leave: (subscription: Subscription) => void;
  /** Called when a subscriber's outlet is not full any more. */
  onDrain: (subscription: Subscription) => void;
  /** Waits for an event after `after` that concerns the caller, or until `end`. */
  wait: (workspaceId: string, after: number, end: WaitEnd) => Promise<void>;
  /** The workspace's events after `after`, if all of them are in memory. */
  getHeldEvents: (workspaceId: string, after: number) => readonly StoredEvent[] | null;
  /** Called about every second: sends checkpoints and closes idle feeds. */
  tick: (now: Date) => void;
  /** Ends all waits, including future ones. */
  endWaits: () => void;
  stop: () => Promise<void>;
};

const POLL_MS = 250;
const CHECKPOINT_TICKS = 25;

/** The services of feeds. */
export type FeedServices = {
  log: Logger;
  metrics: LiveMetrics;
  /** PostgreSQL's time. */
  clock: () => Date;
};

/** Creates the feeds. Without followers they only read PostgreSQL's time. */
export function createFeeds(database: LiveDatabase, services: FeedServices): Feeds {
  const store = createFeedStore(database);
  const { open } = store;
  const parts = { ...services, database, turns: createTurns(), frames: createRenderedFrames() };
  const sources = { ...parts, getFeed: (id: string) => open.get(id), readPage: createPageReader(database) };
  const pulling = { ...parts, bring, wake: (ids: readonly string[]) => loop.wake(ids) };
  const loop = createPullLoop((ids) => pullFeeds(getOpenFeeds(store, ids), pulling), services.log);
  const poll = setInterval(() => loop.wake(open.keys()), POLL_MS);
  let waitsEnded = false;
  let ticks = 0;

  function bring(member: Subscription): void {
    catchUp(member, sources);
  }

  return {
    takeTurn: parts.turns.run,
    wake: (workspaceIds) => loop.wake(workspaceIds === "all" ? open.keys() : workspaceIds),
    join: async (subscription) => {
      const feed = await store.follow(subscription.workspaceId);
      if (subscription.state === "ended") return;
      join(feed, subscription);
      bring(subscription);
    },
    leave: (subscription) => leave(store, subscription),
    onDrain: (subscription) => {
      if (subscription.state === "waiting") bring(subscription);
    },
    wait: async (workspaceId, after, end) => {
      const feed = await store.follow(workspaceId);
      if (!waitsEnded) await waitForNews(feed, after, end);
    },
    getHeldEvents: (workspaceId, after) => findHeldEvents(open.get(workspaceId), after),
    tick: (now) => {
      for (const feed of open.values()) {
        trimRing(feed, now);
        store.dropIdle(feed);
        listSubscribers(feed).filter(canResume).forEach(bring);
      }
      if (++ticks % CHECKPOINT_TICKS === 0) sendAllCheckpoints(open, parts);
      measure(open, parts);
    },
    endWaits: () => {
      waitsEnded = true;
      for (const feed of open.values()) wakeWaiters(feed, null);
    },
    stop: async () => {
      clearInterval(poll);
      await loop.stop();
    },
  };
}

function findHeldEvents(feed: Feed | undefined, after: number): readonly StoredEvent[] | null {
  return feed === undefined ? null : getEventsAfter(feed, after);
}

async function waitForNews(feed: Feed, after: number, end: WaitEnd): Promise<void> {
  const isHere = feed.head > after && hasNews({ ...end, after }, getEventsAfter(feed, after));
  if (!isHere) await waitUntilWoken(feed, after, end);
}

function canResume({ state, outlet }: Subscription): boolean {
  return state === "waiting" && !outlet.isFull();
}

function sendAllCheckpoints(
  open: ReadonlyMap<string, Feed>,
  { turns, log }: { turns: Turns } & Pick<FeedServices, "log">,
): void {
  for (const feed of open.values()) {
    turns.run(feed.workspaceId, sendCheckpoints(feed)).catch((error: unknown) => {
      log.error({ err: error }, "checkpoints could not be sent");
    });
  }
}

function measure(
  open: ReadonlyMap<string, Feed>,
  { metrics, frames }: Pick<FeedServices, "metrics"> & { frames: RenderedFrames },
): void {
  metrics.rendered.set(frames.bytes());
  const feeds = [...open.values()];
  const groups = feeds.flatMap(({ members }) => [...members.values()]);
  metrics.workspaces.set(feeds.length);
  metrics.groups.set(groups.length);
  metrics.subscriptions.set(groups.reduce((sum, { size }) => sum + size, 0));
  metrics.waits.set(feeds.reduce((sum, { waiters }) => sum + waiters.size, 0));
}

function getOpenFeeds({ open }: FeedStore, workspaceIds: ReadonlySet<string>): Feed[] {
  return [...workspaceIds].flatMap((id) => open.get(id) ?? []);
}

/** A subscriber in an existing group shares the group's key object. */
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

function waitUntilWoken(
  { waiters }: Feed,
  after: number,
  { afterMs, signal, concerns }: WaitEnd,
): Promise<void> {
  return new Promise((resolve) => {
    const waiter = { after, concerns, wake };
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
