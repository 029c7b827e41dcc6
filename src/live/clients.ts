import type { EventEmitter } from "node:events";

/** The connections of clients to this node. */
export type Clients = {
  /** Counts a connection until it closes. */
  enter: (socket: EventEmitter) => void;
  /** Whether somebody is connected, or was until a moment ago. */
  arePresent: () => boolean;
};

/** A second longer than this node remembers credentials of requests. */
const LEFT_MS = 6000;

/** @param clock the monotonic clock, in milliseconds. */
export function createClients(clock: Pick<Performance, "now"> = performance): Clients {
  let connected = 0;
  let leftAtMs = clock.now();
  function leave(): void {
    connected--;
    leftAtMs = clock.now();
  }
  return {
    enter: (socket) => {
      connected++;
      socket.once("close", leave);
    },
    arePresent: () => connected > 0 || clock.now() - leftAtMs <= LEFT_MS,
  };
}
