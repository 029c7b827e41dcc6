import type { ResultOf } from "gql.tada";
import { stringifyDocument } from "urql";
import { sessionEnd } from "../session.ts";
import { readPageData } from "../page-data.ts";
import { Events, type LiveFrame } from "./events.ts";
import { notifyEvent, notifyGap } from "./listeners.ts";
import { socket } from "./socket.ts";
import { lastGap, liveStatus, noteOpened } from "./status.ts";

const AGAIN_MS = 2000;

/** Where events stood when the server rendered the page. */
const PAGE_CURSOR = readPageData("cursor");

/** The longest time after which what is read first needs no second look when the stream opens. */
const FRESH_MS = 10_000;

/** Sent with each reconnect, so that the stream resumes where it stopped. */
const variables: { after: string | null } = { after: PAGE_CURSOR };

/** Opens the event stream shared by all views. Call it once. */
export function followLiveEvents(): void {
  socket.subscribe<ResultOf<typeof Events>, { cursor?: string }>(
    { query: stringifyDocument(Events), variables },
    {
      next: ({ data, extensions }) => {
        // A result may contain errors next to its data.
        if (data?.events !== undefined) take(data.events);
        else variables.after = extensions?.cursor ?? variables.after;
      },
      error: followLater,
      complete: followLater,
    },
  );
}

function take(frame: LiveFrame): void {
  variables.after = frame.cursor;
  switch (frame.__typename) {
    case "StreamOpened":
      if (mayHaveMissed()) notifyGap();
      noteOpened();
      return;
    case "Event":
      notifyEvent(frame);
      return;
    case "StreamReset":
      lastGap.set(Date.now());
      notifyGap();
      return;
    case "StreamCheckpoint":
      return;
  }
}

/**
 * Whether data may have changed that was read before the stream opened: without the page's cursor, and after some time
 * also data without events, such as presence.
 */
function mayHaveMissed(): boolean {
  const { state } = liveStatus.get();
  const isFresh = state === "connecting" && PAGE_CURSOR !== null && performance.now() < FRESH_MS;
  return state !== "live" && !isFresh;
}

function followLater(): void {
  if (sessionEnd.get() === null) setTimeout(followLiveEvents, AGAIN_MS);
}
