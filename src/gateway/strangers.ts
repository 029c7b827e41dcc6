import type { IncomingMessage } from "node:http";
import { addressKey } from "../domain/throttle.ts";
import type { SocketConnection } from "./socket-connection.ts";

/** The sockets of which it is not known yet whose they are. */
export type Strangers = {
  enter: (connection: SocketConnection) => void;
  /** Told when it is known, or when the socket has gone. */
  leave: (connection: SocketConnection) => void;
  count: () => number;
  /** Those of the address that a request comes from; 0 where addresses tell nobody apart. */
  countLike: (request: IncomingMessage) => number;
};

/**
 * Counts strangers.
 *
 * @param addressOf tells where a request comes from; null where everybody may come from the address of a
 *   proxy that is not known.
 */
export function createStrangers(addressOf: ((request: IncomingMessage) => string | null) | null): Strangers {
  const strangers = new Set<SocketConnection>();
  const counts = new Map<string, number>();

  function add(connection: SocketConnection, difference: number): void {
    const key = addressKey(connection.request.ip);
    const count = (counts.get(key) ?? 0) + difference;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  }

  return {
    enter: (connection) => {
      strangers.add(connection);
      add(connection, 1);
    },
    leave: (connection) => {
      if (strangers.delete(connection)) add(connection, -1);
    },
    count: () => strangers.size,
    countLike: (request) => (addressOf === null ? 0 : (counts.get(addressKey(addressOf(request))) ?? 0)),
  };
}
