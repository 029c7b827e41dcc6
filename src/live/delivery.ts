import { setImmediate as nextTurn } from "node:timers/promises";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";
import type { ResetReason } from "../domain/event-log/read-start.ts";
import { type Feed, placeOf } from "./feed.ts";
import type { LiveMetrics } from "./metrics.ts";
import { type Subscription, bodiesOf, writeBodies, writePlace } from "./subscription.ts";

/** Subscribers that are written to before others get their turn. */
const TURN = 512;

/**
 * Writes new events to everybody who is live; whoever is not where the events begin, or takes no more, is left
 * to catch up. Between turns others may join: they have these events already.
 */
export async function deliver(
  feed: Feed,
  { events, before }: { events: StoredEvent[]; before: number },
  { bring, metrics }: { bring: (member: Subscription) => void; metrics: Pick<LiveMetrics, "delivered"> },
): Promise<void> {
  let turn = 0;
  let delivered = 0;
  for (const members of feed.members.values()) {
    const [first] = members;
    if (first === undefined) continue;
    const bodies = bodiesOf(first.group, events);
    for (const member of members) {
      if (member.state !== "live") continue;
      if (member.at.seq !== before || member.outlet.isFull()) {
        bring(member);
      } else {
        writeBodies(member, bodies);
        delivered += bodies.length;
        member.at = { epoch: feed.epoch, seq: before + events.length };
      }
      if (++turn % TURN === 0) await nextTurn();
    }
  }
  metrics.delivered.inc(delivered);
}

/** Tells everybody who is live that there is a gap, after which the feed goes on. */
export function tellReset(feed: Feed, reason: ResetReason): void {
  for (const member of membersOf(feed)) {
    if (member.state !== "live") continue;
    writePlace(member, { kind: "reset", at: placeOf(feed), reason });
    member.at = placeOf(feed);
  }
}

/** Whoever wants few events has to hear of the others that time goes on, or his cursor expires. */
export function tellCheckpoint(member: Subscription): void {
  if (member.state !== "live" || member.told >= member.at.seq) return;
  writePlace(member, { kind: "checkpoint", at: member.at });
}

/** Everybody who subscribes to a feed. */
export function membersOf({ members }: Feed): Subscription[] {
  return [...members.values()].flatMap((group) => [...group]);
}
