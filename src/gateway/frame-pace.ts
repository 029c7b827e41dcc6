import { addressKey } from "../domain/kernel/throttle.ts";
import type { SocketConnection } from "./socket-connection.ts";

/** Limits how fast sockets may send. */
export type FramePace = {
  /** Counts a frame of the given size. @returns true if the socket should be paused for a second. */
  countFrame: (connection: SocketConnection, bytes: number) => boolean;
};

/**
 * Frames per second: for one socket, and for all sockets of a credential (or an address, before
 * authentication).
 */
const PER_SECOND = { socket: 200, sender: 2000 };
/** Bytes that count as one more frame. */
const FRAME_BYTES = 2048;
const SECOND_MS = 1000;

/** A frame counts 1, and more if it is long: frames are read whole before they are parsed. */
export function createFramePace(
  limits: { socket: number; sender: number } = PER_SECOND,
  clock: () => number = () => performance.now(),
): FramePace {
  const counts = { socket: new Map<SocketConnection, number>(), sender: new Map<string, number>() };
  let sinceMs = clock();
  return {
    countFrame: (connection, bytes) => {
      const nowMs = clock();
      if (nowMs - sinceMs > SECOND_MS) {
        sinceMs = nowMs;
        counts.socket.clear();
        counts.sender.clear();
      }
      const frames = 1 + Math.floor(bytes / FRAME_BYTES);
      const ofSocket = add(counts.socket, connection, frames);
      const ofSender = add(counts.sender, getSenderKey(connection), frames);
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
