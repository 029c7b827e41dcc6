import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { LiveDatabase } from "../db/notifications.ts";
import type { ResetReason } from "../domain/event-log/read-start.ts";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";
import { createCatchUp } from "./catch-up.ts";
import { pullEvents, readNewest } from "./event-reads.ts";
import { type Feed, RING, createFeed, placeOf, takeIn, trimRing } from "./feed.ts";
import { type Subscription, bodiesOf, writeBodies, writePlace } from "./subscription.ts";

/** Follows the events of every workspace that somebody here wants to know of. */
export type Feeds = {
  /** Looks for events in these workspaces now. */
  wake: (workspaceIds: readonly string[] | "all") => void;
  /** Adds a subscriber, who gets everything after his place from now on. */
  join: (subscription: Subscription) => Promise<void>;
  leave: (subscription: Subscription) => void;
  /** Told that a subscriber's outlet is not full any more. */
  drained: (subscription: Subscription) => void;
  /** Waits for an event after this one, or until the time is over. */
  wait: (workspaceId: string, after: number, timeoutMs: number) => Promise<void>;
  /** Told about every second: checkpoints, and what nobody follows any more goes. */
  tick: (now: Date) => void;
  /** Ends every wait, those of the future too. */
  endWaits: () => void;
  stop: () => Promise<void>;
};

const POLL_MS = 250;
/** Between pulls: under load one pull brings what many commits wrote, and one write what many events say. */
const GAP_MS = 5;
/** Subscribers that are written to before others get their turn. */
const TURN = 512;
const CHECKPOINT_TICKS = 25;
const IDLE_MS = 30_000;

/** Starts to follow events; without anybody who wants them it only keeps time. */
export function createFeeds(database: LiveDatabase, log: Logger): Feeds {
  const feeds = new Map<string, Promise<Feed>>();
  const open = new Map<string, Feed>();
  const catchUp = createCatchUp(database, (workspaceId) => open.get(workspaceId), log);
  let dirty = new Set<string>();
  let pulling: Promise<void> | null = null;
  let stopped = false;
  let waitsEnded = false;
  let ticks = 0;
  const poll = setInterval(() => wake("all"), POLL_MS);

  function wake(workspaceIds: readonly string[] | "all"): void {
    if (stopped) return;
    for (const id of workspaceIds === "all" ? open.keys() : workspaceIds) if (open.has(id)) dirty.add(id);
    if (dirty.size > 0) pulling ??= pull();
  }

  async function pull(): Promise<void> {
    while (dirty.size > 0 && !stopped) {
      const asked = [...dirty].flatMap((id) => open.get(id) ?? []);
      dirty = new Set();
      try {
        await pullInto(asked);
      } catch (error) {
        log.debug({ err: error }, "events can't be read at this moment");
        break;
      }
      await pause(GAP_MS);
    }
    pulling = null;
  }

  async function pullInto(asked: readonly Feed[]): Promise<void> {
    const { slices, limit } = await pullEvents(database, asked);
    for (const [workspaceId, slice] of slices) {
      const feed = open.get(workspaceId);
      if (feed === undefined) continue;
      const change = takeIn(feed, slice);
      if (slice.events.length === limit) dirty.add(workspaceId);
      if (change.kind === "events") await deliver(feed, change);
      else resetAll(feed, change);
      wakeWaiters(feed);
    }
  }

  /** Between turns others may join: they have these events already, or get them by catching up. */
  async function deliver(feed: Feed, { events, before }: { events: StoredEvent[]; before: number }): Promise<void> {
    let turn = 0;
    for (const members of feed.members.values()) {
      const [first] = members;
      if (first === undefined) continue;
      const bodies = bodiesOf(first.group, events);
      for (const member of members) {
        if (member.state !== "live") continue;
        if (member.at.seq !== before || member.outlet.isFull()) {
          catchUp(member);
        } else {
          writeBodies(member, bodies);
          member.at = { epoch: feed.epoch, seq: before + events.length };
        }
        if (++turn % TURN === 0) await nextTurn();
      }
    }
  }

  function resetAll(feed: Feed, { reason, isHole }: { reason: ResetReason; isHole: boolean }): void {
    const { workspaceId, head } = feed;
    if (isHole) log.error({ workspaceId, head }, "an event is missing from its workspace's order");
    for (const member of membersOf(feed)) {
      if (member.state !== "live") continue;
      writePlace(member, { kind: "reset", at: placeOf(feed), reason });
      member.at = placeOf(feed);
    }
  }

  async function follow(workspaceId: string): Promise<Feed> {
    const known = feeds.get(workspaceId);
    if (known !== undefined) return known;
    const opening = openFeed(workspaceId);
    feeds.set(workspaceId, opening);
    try {
      return await opening;
    } catch (error) {
      feeds.delete(workspaceId);
      throw error;
    }
  }

  async function openFeed(workspaceId: string): Promise<Feed> {
    const slice = await readNewest(database, workspaceId, RING.length);
    if (slice === null) throw new Error("events of a workspace that is not there");
    const feed = createFeed(workspaceId, slice);
    open.set(workspaceId, feed);
    return feed;
  }

  function dropIdle(feed: Feed): void {
    const nowMs = performance.now();
    const isIdle = feed.members.size === 0 && feed.waiters.size === 0;
    feed.idleSinceMs = isIdle ? (feed.idleSinceMs ?? nowMs) : null;
    if (feed.idleSinceMs === null || nowMs - feed.idleSinceMs < IDLE_MS) return;
    open.delete(feed.workspaceId);
    feeds.delete(feed.workspaceId);
  }

  return {
    wake,
    join: async (subscription) => {
      const feed = await follow(subscription.workspaceId);
      if (subscription.state === "ended") return;
      const { key } = subscription.group;
      const members = feed.members.get(key) ?? new Set();
      feed.members.set(key, members.add(subscription));
      // Whoever is in a group already shares what it has rendered.
      subscription.group = [...members][0]?.group ?? subscription.group;
      catchUp(subscription);
    },
    leave: (subscription) => {
      subscription.state = "ended";
      const { workspaceId, group } = subscription;
      const members = open.get(workspaceId)?.members;
      members?.get(group.key)?.delete(subscription);
      if (members?.get(group.key)?.size === 0) members.delete(group.key);
    },
    drained: (subscription) => {
      if (subscription.state === "waiting") catchUp(subscription);
    },
    wait: async (workspaceId, after, timeoutMs) => {
      const feed = await follow(workspaceId);
      if (waitsEnded || feed.head > after) return;
      await new Promise<void>((resolve) => {
        const waiter = { after, wake: done };
        const timer = setTimeout(done, timeoutMs);
        feed.waiters.add(waiter);
        function done(): void {
          clearTimeout(timer);
          feed.waiters.delete(waiter);
          resolve();
        }
      });
    },
    tick: (now) => {
      ticks++;
      for (const feed of open.values()) {
        trimRing(feed, now);
        dropIdle(feed);
        for (const member of membersOf(feed)) {
          if (member.state === "waiting") catchUp(member);
          if (ticks % CHECKPOINT_TICKS === 0) checkpoint(member);
        }
      }
    },
    endWaits: () => {
      waitsEnded = true;
      for (const { waiters } of open.values()) for (const waiter of waiters) waiter.wake();
    },
    stop: async () => {
      stopped = true;
      clearInterval(poll);
      await pulling;
    },
  };
}

function membersOf({ members }: Feed): Subscription[] {
  return [...members.values()].flatMap((group) => [...group]);
}

function wakeWaiters({ waiters, head }: Feed): void {
  for (const { after, wake } of waiters) if (head > after) wake();
}

/** Whoever wants few events has to hear of the others that time goes on, or his cursor expires. */
function checkpoint(member: Subscription): void {
  if (member.state !== "live" || member.told >= member.at.seq) return;
  writePlace(member, { kind: "checkpoint", at: member.at });
}
