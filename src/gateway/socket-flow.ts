import type { Duplex } from "node:stream";

/** How long nothing of what waits is sent, and how long not all of it, before a socket is too slow. */
const STUCK_MS = 15_000;
const FULL_MS = 60_000;

/** Tells, asked about every second, whether the other side of a stream is too slow to keep. */
export function createFlowWatch(stream: Duplex): (nowMs: number) => boolean {
  let before = 0;
  let movedMs = performance.now();
  let fullSinceMs: number | null = null;
  stream.on("drain", () => {
    fullSinceMs = null;
  });
  return (nowMs) => {
    const { writableLength: waits, writableNeedDrain: isFull } = stream;
    if (waits === 0 || waits < before) movedMs = nowMs;
    before = waits;
    fullSinceMs = isFull ? (fullSinceMs ?? nowMs) : null;
    return nowMs - movedMs > STUCK_MS || (fullSinceMs !== null && nowMs - fullSinceMs > FULL_MS);
  };
}
