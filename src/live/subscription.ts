import { type EventFilter, isWanted } from "../domain/event-log/event-filter.ts";
import type { EventPosition } from "../domain/event-log/event-cursor.ts";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";
import type { EventRequest } from "./event-stream.ts";
import type { SubscriptionFrame } from "./subscription-frame.ts";
import type { RenderedFrames, Rendering } from "./rendered-frames.ts";
import type { Steps } from "./turns.ts";

/** Where a subscriber's frames go. */
export type Outlet = {
  /** Whether so much waits to be sent that nothing should be added. */
  isFull: () => boolean;
  write: (bodies: readonly Buffer[]) => void;
};

/** Those who get the same frames: the same events, each rendered alike. */
export type SubscriberGroup = { key: string; filter: EventFilter; rendering: Rendering };

/**
 * A subscriber to a workspace's events and how far he got. He is `live` while the next event is the next that
 * the feed gets, `waiting` while his outlet is full, and `joining` while he catches up.
 */
export type Subscription = {
  workspaceId: string;
  group: SubscriberGroup;
  outlet: Outlet;
  state: "joining" | "live" | "waiting" | "ended";
  /** Everything up to here was written or is not wanted. */
  at: EventPosition;
  /** The place that he was last told. */
  lastSentSeq: number;
  /** Events that are read for him at once. */
  page: number;
};

/** Events that are read for a subscriber at once who takes all of them, and for one who does not. */
export const CATCH_UP_PAGE = { most: 200, least: 20 };

/** Bytes that are written at once: after them the outlet is asked again whether it is full. */
const CHUNK_BYTES = 65_536;

/** Some of the events that a group wants as its members get them, and the first that is not among them. */
export type Chunk = { bodies: Buffer[]; next: number; lastSeq: number | null };

/** Renders those of these events that a group wants, from one of them on, until there is enough to write at once. */
export function* renderChunk(
  { workspaceId, group, frames }: { workspaceId: string; group: SubscriberGroup; frames: RenderedFrames },
  events: readonly StoredEvent[],
  start: number,
): Steps<Chunk> {
  const chunk: Chunk = { bodies: [], next: start, lastSeq: null };
  let bytes = 0;
  while (chunk.next < events.length && bytes < CHUNK_BYTES) {
    const event = events[chunk.next++];
    if (event === undefined || !isWanted(group.filter, event)) continue;
    const body = frames.getFrame(workspaceId, group.rendering, event);
    bytes += body.length;
    chunk.bodies.push(body);
    chunk.lastSeq = event.seq;
    yield;
  }
  return chunk;
}

/** Writes those of these events that are wanted to somebody who catches up, as far as his outlet takes them. */
export function* writeEvents(
  subscription: Subscription,
  events: readonly StoredEvent[],
  frames: RenderedFrames,
): Steps {
  const { workspaceId, group } = subscription;
  for (let start = 0; start < events.length && !subscription.outlet.isFull();) {
    const chunk = yield* renderChunk({ workspaceId, group, frames }, events, start);
    if (subscription.state !== "joining") return;
    writeChunk(subscription, chunk);
    const last = events[chunk.next - 1];
    if (last !== undefined) subscription.at = { epoch: last.epoch, seq: last.seq };
    start = chunk.next;
    yield;
  }
}

/** Writes events that are rendered already. */
export function writeChunk(subscription: Subscription, { bodies, lastSeq }: Chunk): void {
  if (lastSeq === null) return;
  subscription.outlet.write(bodies);
  subscription.lastSentSeq = lastSeq;
}

/** Writes a frame that tells a place. */
export function writePositionFrame(
  subscription: Subscription,
  frame: Exclude<SubscriptionFrame, { kind: "event" }>,
): void {
  subscription.outlet.write([subscription.group.rendering.render(frame)]);
  subscription.lastSentSeq = frame.at.seq;
}

/** Begins a subscription: tells its place first, and that there is a gap where there is one. */
export function openSubscription(
  { workspaceId, start }: EventRequest,
  group: SubscriberGroup,
  outlet: Outlet,
): Subscription {
  const { from, reset, newest } = start;
  const subscription: Subscription = {
    workspaceId,
    group,
    outlet,
    state: "joining",
    at: from,
    lastSentSeq: from.seq,
    page: CATCH_UP_PAGE.most,
  };
  writePositionFrame(subscription, {
    kind: "opened",
    at: from,
    live: reset === null && from.seq >= newest.seq,
  });
  if (reset !== null) {
    writePositionFrame(subscription, { kind: "reset", at: newest, reason: reset });
    subscription.at = newest;
  }
  return subscription;
}
