import { type EventFilter, isWanted } from "../domain/event-log/event-filter.ts";
import type { EventPosition } from "../domain/event-log/event-cursor.ts";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";
import type { EventRequest } from "./event-stream.ts";
import type { Frame } from "./frame.ts";

/** Where a subscriber's frames go. */
export type Outlet = {
  /** Whether so much waits to be sent that nothing should be added. */
  isFull: () => boolean;
  write: (bodies: readonly Buffer[]) => void;
};

/** Those who get the same frames: each is rendered once for all of them. */
export type Group = { key: string; filter: EventFilter; render: (frame: Frame) => Buffer };

/**
 * A subscriber to a workspace's events and how far he got. He is `live` while the next event is the next that
 * the feed gets, `waiting` while his outlet is full, and `joining` while he catches up.
 */
export type Subscription = {
  workspaceId: string;
  group: Group;
  outlet: Outlet;
  state: "joining" | "live" | "waiting" | "ended";
  /** Everything up to here was written or is not wanted. */
  at: EventPosition;
  /** The place that he was last told. */
  told: number;
};

/** Events that are written before the outlet is asked again whether it is full. */
const CHUNK = 50;

/** Writes those of these events that are wanted, as far as the outlet takes them. @returns whether it took all. */
export function writeEvents(subscription: Subscription, events: readonly StoredEvent[]): boolean {
  for (let start = 0; start < events.length; start += CHUNK) {
    if (subscription.outlet.isFull()) return false;
    const chunk = events.slice(start, start + CHUNK);
    const last = chunk.at(-1);
    writeBodies(subscription, bodiesOf(subscription.group, chunk));
    if (last !== undefined) subscription.at = { epoch: last.epoch, seq: last.seq };
  }
  return true;
}

/** Writes events that are rendered already. */
export function writeBodies(subscription: Subscription, bodies: readonly Rendered[]): void {
  const last = bodies.at(-1);
  if (last === undefined) return;
  subscription.outlet.write(bodies.map(({ body }) => body));
  subscription.told = last.seq;
}

/** Writes a frame that tells a place. */
export function writePlace(subscription: Subscription, frame: Exclude<Frame, { kind: "event" }>): void {
  subscription.outlet.write([subscription.group.render(frame)]);
  subscription.told = frame.at.seq;
}

/** An event as a group's members get it. */
export type Rendered = { seq: number; body: Buffer };

const RENDERED = new WeakMap<Group, WeakMap<StoredEvent, Rendered>>();

/** Renders those of these events that a group wants, each once. */
export function bodiesOf(group: Group, events: readonly StoredEvent[]): Rendered[] {
  const known = RENDERED.get(group) ?? new WeakMap<StoredEvent, Rendered>();
  RENDERED.set(group, known);
  return events
    .filter((event) => isWanted(group.filter, event))
    .map((event) => {
      const rendered = known.get(event) ?? {
        seq: event.seq,
        body: group.render({ kind: "event", event }),
      };
      known.set(event, rendered);
      return rendered;
    });
}

/** Begins a subscription: tells its place first, and that there is a gap where there is one. */
export function openSubscription(
  { workspaceId, start }: EventRequest,
  group: Group,
  outlet: Outlet,
): Subscription {
  const { from, reset, newest } = start;
  const subscription: Subscription = {
    workspaceId,
    group,
    outlet,
    state: "joining",
    at: from,
    told: from.seq,
  };
  writePlace(subscription, { kind: "opened", at: from, live: reset === null && from.seq >= newest.seq });
  if (reset !== null) {
    writePlace(subscription, { kind: "reset", at: newest, reason: reset });
    subscription.at = newest;
  }
  return subscription;
}
