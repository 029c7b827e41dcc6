import type { EventPosition } from "../domain/event-log/event-cursor.ts";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";
import type { ResetReason } from "../domain/event-log/read-start.ts";
import { type Feed, getPosition } from "./feed.ts";
import type { LiveMetrics } from "./metrics.ts";
import type { RenderedFrames } from "./rendered-frames.ts";
import {
  type Chunk,
  type Subscription,
  renderChunk,
  writeChunk,
  writePositionFrame,
} from "./subscription.ts";
import type { Steps } from "../domain/kernel/turns.ts";

/** The services of delivery. */
export type DeliveryParts = {
  bring: (member: Subscription) => void;
  frames: RenderedFrames;
  metrics: Pick<LiveMetrics, "delivered">;
};

/**
 * Writes new events to all live subscribers. Those at an earlier position catch up, and those whose outlet
 * is full wait. Subscribers may join between steps; they already have these events.
 */
export function* deliver(
  feed: Feed,
  { events, before }: { events: readonly StoredEvent[]; before: number },
  parts: DeliveryParts,
): Steps {
  for (const members of feed.members.values()) {
    for (let start = 0; start < events.length;) {
      const [first] = members;
      if (first === undefined) break;
      const sought = { workspaceId: feed.workspaceId, group: first.group, frames: parts.frames };
      const chunk = yield* renderChunk(sought, events, start);
      const span = { epoch: feed.epoch, from: before + start, to: before + chunk.next };
      yield* deliverToAll(members, chunk, { span, ...parts });
      start = chunk.next;
    }
  }
}

type Span = { epoch: string; from: number; to: number };

/** Writes events to the subscribers at their start. Others already have them, or catch up. */
function* deliverToAll(
  members: ReadonlySet<Subscription>,
  chunk: Chunk,
  { span, bring, metrics }: { span: Span } & DeliveryParts,
): Steps {
  let delivered = 0;
  for (const member of members) {
    if (member.state === "live" && member.at.seq < span.to) {
      delivered += deliverChunk(member, chunk, { span, bring });
    }
    yield;
  }
  metrics.delivered.inc(delivered);
}

/**
 * Writes the events between two positions to the subscribers at the first one. @returns the number of
 * events written.
 */
function deliverChunk(
  member: Subscription,
  chunk: Chunk,
  { span, bring }: { span: Span; bring: (member: Subscription) => void },
): number {
  if (member.at.seq !== span.from) {
    bring(member);
    return 0;
  }
  if (chunk.bodies.length > 0 && member.outlet.isFull()) {
    member.state = "waiting";
    return 0;
  }
  writeChunk(member, chunk);
  member.at = { epoch: span.epoch, seq: span.to };
  return chunk.bodies.length;
}

/** Tells all live subscribers that events are missing. The feed then continues. */
export function* sendReset(feed: Feed, reason: ResetReason): Steps {
  for (const member of listSubscribers(feed)) {
    // A subscriber that joined meanwhile is already at the new position.
    if (member.state !== "live" || isAt(member, getPosition(feed))) continue;
    writePositionFrame(member, { kind: "reset", at: getPosition(feed), reason });
    member.at = getPosition(feed);
    yield;
  }
}

/** Keeps the cursors of subscribers with few matching events from expiring. */
export function* sendCheckpoints(feed: Feed): Steps {
  for (const member of listSubscribers(feed)) {
    if (member.state !== "live" || member.lastSentSeq >= member.at.seq || member.outlet.isFull()) continue;
    writePositionFrame(member, { kind: "checkpoint", at: member.at });
    yield;
  }
}

function isAt({ at }: Subscription, { epoch, seq }: EventPosition): boolean {
  return at.epoch === epoch && at.seq === seq;
}

export function listSubscribers({ members }: Feed): Subscription[] {
  return [...members.values()].flatMap((group) => [...group]);
}
