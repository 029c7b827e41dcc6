import { addressKey } from "../domain/kernel/throttle.ts";
import { CLOSINGS } from "../live/closings.ts";
import type { SocketConnection } from "./socket-connection.ts";

/** The unauthenticated sockets of this node. */
export type UnauthenticatedSockets = {
  /** Adds a socket. Above a limit, closes the oldest one of its address or of all. */
  enter: (connection: SocketConnection) => void;
  /** Called when a socket is authenticated or closed. */
  leave: (connection: SocketConnection) => void;
  count: () => number;
};

/** Limits for a node and for one address, which may be a proxy's. */
const LIMITS = { all: 2000, address: 1000 };

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
