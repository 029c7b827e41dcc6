import type { Logger } from "pino";
import type { LiveDatabase } from "../db/notifications.ts";
import type { EventPosition } from "../domain/event-log/event-cursor.ts";
import type { ResetReason } from "../domain/event-log/read-start.ts";
import { type EventSlice, readAfter } from "./event-reads.ts";
import { type Feed, heldAfter, placeOf } from "./feed.ts";
import { type Subscription, writeEvents, writePlace } from "./subscription.ts";

const PAGE = 200;
/** Reads of catching up that run at once: the others wait, so that live events do not. */
const READERS = 3;

/**
 * Makes what brings a subscriber from his place to the feed's: from the feed's ring where that reaches back
 * far enough, else page by page from the database. Joining the feed happens in the same turn as the last
 * event of the ring is written, so nothing falls between.
 */
export function createCatchUp(
  database: LiveDatabase,
  feedOf: (workspaceId: string) => Feed | undefined,
  log: Logger,
): (subscription: Subscription) => void {
  const reading = new Map<string, Promise<EventSlice | null>>();
  const queue: (() => void)[] = [];
  let readers = 0;

  function begin(subscription: Subscription): void {
    subscription.state = "joining";
    goOn(subscription).catch((error: unknown) => {
      log.debug({ err: error }, "a subscriber can't catch up at this moment");
      if (subscription.state === "joining") subscription.state = "waiting";
    });
  }

  async function goOn(subscription: Subscription): Promise<void> {
    for (;;) {
      if (subscription.state !== "joining") return;
      const feed = feedOf(subscription.workspaceId);
      if (feed === undefined || subscription.outlet.isFull()) {
        subscription.state = "waiting";
        return;
      }
      if (subscription.at.epoch !== feed.epoch) reset(subscription, "epoch_changed", placeOf(feed));
      const held = heldAfter(feed, subscription.at.seq);
      if (held !== null) {
        subscription.state = writeEvents(subscription, held) ? "live" : "waiting";
        return;
      }
      await readOn(subscription);
    }
  }

  async function readOn(subscription: Subscription): Promise<void> {
    const { at, workspaceId } = subscription;
    const slice = await readPage(workspaceId, at.seq);
    if (slice === null || subscription.state !== "joining") return;
    const { epoch, head: seq, minSeq, events } = slice;
    if (epoch !== at.epoch) return reset(subscription, "epoch_changed", { epoch, seq });
    const isWhole = minSeq <= at.seq + 1 && events[0]?.seq === at.seq + 1;
    if (!isWhole) return reset(subscription, "cursor_expired", { epoch, seq });
    writeEvents(subscription, events);
  }

  /** Those who were cut off together ask for the same pages. */
  function readPage(workspaceId: string, after: number): Promise<EventSlice | null> {
    const key = `${workspaceId} ${after}`;
    const page =
      reading.get(key) ??
      inTurn(() => readAfter(database, workspaceId, { after, limit: PAGE })).finally(() => reading.delete(key));
    reading.set(key, page);
    return page;
  }

  async function inTurn<Result>(read: () => Promise<Result>): Promise<Result> {
    if (readers >= READERS) await new Promise<void>((resolve) => queue.push(resolve));
    else readers++;
    try {
      return await read();
    } finally {
      const next = queue.shift();
      if (next === undefined) readers--;
      else next();
    }
  }

  return begin;
}

function reset(subscription: Subscription, reason: ResetReason, at: EventPosition): void {
  writePlace(subscription, { kind: "reset", at, reason });
  subscription.at = at;
}
