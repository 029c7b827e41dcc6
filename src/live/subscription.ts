import { type EventFilter, isWanted } from "../domain/event-log/event-filter.ts";
import type { EventPosition } from "../domain/event-log/event-cursor.ts";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";
import type { EventRequest } from "./event-stream.ts";
import type { SubscriptionFrame } from "./subscription-frame.ts";
import type { RenderedFrames, Rendering } from "./rendered-frames.ts";
import type { Steps } from "../domain/kernel/turns.ts";

/** The destination of a subscriber's frames. */
export type Outlet = {
  /** Whether the send buffer is so full that nothing should be added. */
  isFull: () => boolean;
  write: (bodies: readonly Buffer[]) => void;
};

/** Subscribers that get the same events, rendered in the same way. */
export type SubscriberGroup = { key: string; filter: EventFilter; rendering: Rendering };

/**
 * A subscriber to a workspace's events and its position. `live`: its next event is the feed's next.
 * `waiting`: its outlet is full. `joining`: it is catching up.
 */
export type Subscription = {
  workspaceId: string;
  group: SubscriberGroup;
  outlet: Outlet;
  state: "joining" | "live" | "waiting" | "ended";
  /** Everything up to here was written or filtered out. */
  at: EventPosition;
  /** The last position that was sent to it. */
  lastSentSeq: number;
  /** How many events are read for it at once. */
  page: number;
};

/** The page size for a subscriber that accepts all events, and for one that does not. */
export const CATCH_UP_PAGE = { most: 200, least: 20 };

/** Bytes per write. After each, the outlet is asked again whether it is full. */
const CHUNK_BYTES = 65_536;

/** Rendered events for a group's subscribers, and the first event that is not included. */
export type Chunk = { bodies: Buffer[]; next: number; lastSeq: number | null };

/** Renders the events that match a group's filter, from an index on, until there is enough for one write. */
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

/** Writes the matching events to a subscriber that is catching up, as long as its outlet accepts them. */
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

/** Writes rendered events. */
export function writeChunk(subscription: Subscription, { bodies, lastSeq }: Chunk): void {
  if (lastSeq === null) return;
  subscription.outlet.write(bodies);
  subscription.lastSentSeq = lastSeq;
}

/** Writes a frame with a position. */
export function writePositionFrame(
  subscription: Subscription,
  frame: Exclude<SubscriptionFrame, { kind: "event" }>,
): void {
  subscription.outlet.write([subscription.group.rendering.render(frame)]);
  subscription.lastSentSeq = frame.at.seq;
}

/** Starts a subscription: sends its position and, if events are missing, a reset. */
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
