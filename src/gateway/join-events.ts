import type { ExecutionArgs } from "graphql";
import type { Logger } from "pino";
import { CLOSINGS } from "../live/closings.ts";
import type { EventStream } from "../live/event-stream.ts";
import type { Feeds } from "../live/feeds.ts";
import { openSubscription } from "../live/subscription.ts";
import { createGroup } from "./event-group.ts";
import type { SocketConnection } from "./socket-connection.ts";

/** A stream of events that a socket has subscribed to, under the id that the client gave it. */
export type Joining = { id: string; args: ExecutionArgs; stream: EventStream };

/** Lets the feed of its workspace write a stream's frames on its socket until it ends. */
export function joinEvents(
  connection: SocketConnection,
  { id, args, stream }: Joining,
  { feeds, log }: { feeds: Feeds; log: Logger },
): void {
  const before = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  const subscription = openSubscription(stream.request, createGroup(args, stream.request, log), {
    isFull: connection.isFull,
    write: (bodies) => connection.sendBodies(before, bodies),
  });
  connection.operations.set(id, subscription);
  stream.onEnd(() => feeds.leave(subscription));
  feeds.join(subscription).catch((error: unknown) => {
    log.debug({ err: error }, "events can't be followed at this moment");
    connection.kill(CLOSINGS.unavailable);
  });
}
