import type { Logger } from "pino";
import type { EventPosition } from "../domain/event-log/event-cursor.ts";
import type { ResetReason } from "../domain/event-log/read-start.ts";
import { type Feed, heldAfter, placeOf } from "./feed.ts";
import type { LiveMetrics } from "./metrics.ts";
import type { PageReader } from "./page-reader.ts";
import { type Subscription, writeEvents, writePlace } from "./subscription.ts";

/** What catching up works with. */
export type CatchUpSources = {
  feedOf: (workspaceId: string) => Feed | undefined;
  readPage: PageReader;
  log: Logger;
  metrics: Pick<LiveMetrics, "catchUps">;
};

/**
 * Brings a subscriber from his place to the feed's: from the feed's ring where that reaches back far enough,
 * else page by page from the database. Joining the feed happens in the same turn as the last event of the ring
 * is written, so nothing falls between.
 */
export function catchUp(subscription: Subscription, sources: CatchUpSources): void {
  subscription.state = "joining";
  sources.metrics.catchUps.inc();
  goOn(subscription, sources).catch((error: unknown) => {
    sources.log.debug({ err: error }, "a subscriber can't catch up at this moment");
    if (subscription.state === "joining") subscription.state = "waiting";
  });
}

async function goOn(subscription: Subscription, { feedOf, readPage }: CatchUpSources): Promise<void> {
  while (subscription.state === "joining") {
    const feed = feedOf(subscription.workspaceId);
    if (feed === undefined || subscription.outlet.isFull()) {
      subscription.state = "waiting";
      return;
    }
    if (subscription.at.epoch !== feed.epoch) reset(subscription, "epoch_changed", placeOf(feed));
    const held = heldAfter(feed, subscription.at.seq);
    if (held === null) await readOn(subscription, readPage);
    else subscription.state = writeEvents(subscription, held) ? "live" : "waiting";
  }
}

async function readOn(subscription: Subscription, readPage: PageReader): Promise<void> {
  const { at, workspaceId } = subscription;
  const slice = await readPage(workspaceId, at.seq);
  if (slice === null || subscription.state !== "joining") return;
  const { epoch, head: seq, minSeq, events } = slice;
  if (epoch !== at.epoch) return reset(subscription, "epoch_changed", { epoch, seq });
  const isWhole = minSeq <= at.seq + 1 && events[0]?.seq === at.seq + 1;
  if (!isWhole) return reset(subscription, "cursor_expired", { epoch, seq });
  writeEvents(subscription, events);
}

function reset(subscription: Subscription, reason: ResetReason, at: EventPosition): void {
  writePlace(subscription, { kind: "reset", at, reason });
  subscription.at = at;
}
