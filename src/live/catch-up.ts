import type { Logger } from "pino";
import type { EventPosition } from "../domain/event-log/event-cursor.ts";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";
import type { ResetReason } from "../domain/event-log/read-start.ts";
import { type Feed, getEventsAfter, getPosition } from "./feed.ts";
import type { LiveMetrics } from "./metrics.ts";
import type { PageReader } from "./page-reader.ts";
import type { RenderedFrames } from "./rendered-frames.ts";
import { CATCH_UP_PAGE, type Subscription, writeEvents, writePositionFrame } from "./subscription.ts";
import type { Turns } from "../domain/kernel/turns.ts";

/** The services of catching up. */
export type CatchUpSources = {
  getFeed: (workspaceId: string) => Feed | undefined;
  readPage: PageReader;
  frames: RenderedFrames;
  turns: Turns;
  log: Logger;
  metrics: Pick<LiveMetrics, "catchUps">;
};

/**
 * Brings a subscriber to the feed's position: from the feed's ring if it reaches back far enough, otherwise
 * page by page from the database. Joins the feed in the same step in which nothing is missing, so no event
 * is lost.
 */
export function catchUp(subscription: Subscription, sources: CatchUpSources): void {
  subscription.state = "joining";
  sources.metrics.catchUps.inc();
  continueCatchUp(subscription, sources).catch((error: unknown) => {
    sources.log.debug({ err: error }, "a subscriber can't catch up at the moment");
    if (subscription.state === "joining") subscription.state = "waiting";
  });
}

async function continueCatchUp(subscription: Subscription, sources: CatchUpSources): Promise<void> {
  while (subscription.state === "joining") {
    const feed = sources.getFeed(subscription.workspaceId);
    if (feed === undefined || subscription.outlet.isFull()) {
      subscription.state = "waiting";
      return;
    }
    if (subscription.at.epoch !== feed.epoch) reset(subscription, "epoch_changed", getPosition(feed));
    const events = getEventsAfter(feed, subscription.at.seq);
    if (events === null) await readNextPage(subscription, sources);
    else if (events.length === 0) subscription.state = "live";
    else await write(subscription, events, sources);
  }
}

async function readNextPage(subscription: Subscription, sources: CatchUpSources): Promise<void> {
  const { at, workspaceId, page: limit } = subscription;
  const slice = await sources.readPage(workspaceId, { after: at.seq, limit });
  if (slice === null || subscription.state !== "joining") return;
  const { epoch, head: seq, minSeq, events } = slice;
  if (epoch !== at.epoch) return reset(subscription, "epoch_changed", { epoch, seq });
  const isWhole = minSeq <= at.seq + 1 && events[0]?.seq === at.seq + 1;
  if (!isWhole) return reset(subscription, "cursor_expired", { epoch, seq });
  await write(subscription, events, sources);
  const taken = subscription.at.seq - at.seq;
  // A subscriber that accepted less gets smaller pages, since the rest would be read again.
  subscription.page = taken < events.length ? Math.max(CATCH_UP_PAGE.least, taken) : CATCH_UP_PAGE.most;
}

/** Writes events in the workspace's turn. */
async function write(
  subscription: Subscription,
  events: readonly StoredEvent[],
  { turns, frames }: CatchUpSources,
): Promise<void> {
  await turns.run(subscription.workspaceId, writeEvents(subscription, events, frames));
}

function reset(subscription: Subscription, reason: ResetReason, at: EventPosition): void {
  writePositionFrame(subscription, { kind: "reset", at, reason });
  subscription.at = at;
}
