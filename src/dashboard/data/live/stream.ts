import type { ResultOf } from "gql.tada";
import { stringifyDocument } from "urql";
import { sessionEnd } from "../session.ts";
import { Events, type LiveFrame } from "./events.ts";
import { notifyEvent, notifyGap } from "./listeners.ts";
import { socket } from "./socket.ts";
import { lastGap, liveStatus, noteOpened } from "./status.ts";

const AGAIN_MS = 2000;

/** Sent with each reconnect, so that the stream resumes where it stopped. */
const variables: { after: string | null } = { after: null };

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
      // Data read before the stream began may have changed, including data without events, such as presence.
      if (liveStatus.get().state !== "live") notifyGap();
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

function followLater(): void {
  if (sessionEnd.get() === null) setTimeout(followLiveEvents, AGAIN_MS);
}
