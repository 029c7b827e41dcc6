import { addressKey } from "../domain/kernel/throttle.ts";
import { CLOSINGS } from "../live/closings.ts";
import type { SocketConnection } from "./socket-connection.ts";

/** The sockets of which it is not known yet whose they are. */
export type UnauthenticatedSockets = {
  /** Adds one; where that is too many, the oldest is closed: of its address, or else of all. */
  enter: (connection: SocketConnection) => void;
  /** Told when it is known, or when the socket has gone. */
  leave: (connection: SocketConnection) => void;
  count: () => number;
};

/** How many a node keeps, and how many of them of one address, which may be a proxy's. */
const LIMITS = { all: 2000, address: 1000 };

/** Makes an empty list of them. */
export function createUnauthenticatedSockets(
  limits: { all: number; address: number } = LIMITS,
): UnauthenticatedSockets {
  const all = new Set<SocketConnection>();
  const byAddress = new Map<string, Set<SocketConnection>>();

  function leave(connection: SocketConnection): void {
    const key = addressKey(connection.request.ip);
    const others = byAddress.get(key);
    all.delete(connection);
    others?.delete(connection);
    if (others?.size === 0) byAddress.delete(key);
  }

  function closeOldest(among: ReadonlySet<SocketConnection>): void {
    const [oldest] = among;
    if (oldest === undefined) return;
    leave(oldest);
    oldest.kill(CLOSINGS.tooManySockets);
  }

  return {
    enter: (connection) => {
      const key = addressKey(connection.request.ip);
      const same = byAddress.get(key) ?? new Set();
      byAddress.set(key, same.add(connection));
      all.add(connection);
      if (same.size > limits.address) closeOldest(same);
      if (all.size > limits.all) closeOldest(all);
    },
    leave,
    count: () => all.size,
  };
}
