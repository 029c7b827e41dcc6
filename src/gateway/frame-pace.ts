import { addressKey } from "../domain/kernel/throttle.ts";
import type { SocketConnection } from "./socket-connection.ts";

/** Paces what sockets send. */
export type FramePace = {
  /** Told of a frame of so many bytes. @returns whether no more should be read of its socket for a second. */
  heard: (connection: SocketConnection, bytes: number) => boolean;
};

/** How much is read in a second: of one socket, and of all of a credential, or of an address before that is known. */
const PER_SECOND = { socket: 200, sender: 2000 };
/** Bytes that count as one more frame. */
const FRAME_BYTES = 2048;
const SECOND_MS = 1000;

/** Starts to count. A frame counts 1, and more where it is long: each is read whole before it is known what it asks. */
export function createFramePace(
  limits: { socket: number; sender: number } = PER_SECOND,
  clock: () => number = () => performance.now(),
): FramePace {
  const heard = { socket: new Map<SocketConnection, number>(), sender: new Map<string, number>() };
  let sinceMs = clock();
  return {
    heard: (connection, bytes) => {
      const nowMs = clock();
      if (nowMs - sinceMs > SECOND_MS) {
        sinceMs = nowMs;
        heard.socket.clear();
        heard.sender.clear();
      }
      const frames = 1 + Math.floor(bytes / FRAME_BYTES);
      const ofSocket = add(heard.socket, connection, frames);
      const ofSender = add(heard.sender, getSenderKey(connection), frames);
      return ofSocket >= limits.socket || ofSender >= limits.sender;
    },
  };
}

function add<Key>(counts: Map<Key, number>, key: Key, count: number): number {
  const sum = (counts.get(key) ?? 0) + count;
  counts.set(key, sum);
  return sum;
}

function getSenderKey({ identity, request }: SocketConnection): string {
  return identity === null ? `address ${addressKey(request.ip)}` : `credential ${identity.credentialId}`;
}
