/** Bytes that wait to be sent: at the first number events wait in the log instead, at the second the socket ends. */
export const BUFFERED = { full: 262_144, most: 1_048_576 } as const;

const STUCK_MS = 15_000;
const FULL_MS = 60_000;

/** Tells, asked about every second how many bytes wait to be sent, whether a socket is too slow to keep. */
export function createFlowWatch(): (buffered: number, nowMs: number) => boolean {
  let before = 0;
  let movedMs = performance.now();
  let fullSinceMs: number | null = null;
  return (buffered, nowMs) => {
    if (buffered === 0 || buffered < before) movedMs = nowMs;
    before = buffered;
    fullSinceMs = buffered > BUFFERED.full ? (fullSinceMs ?? nowMs) : null;
    return nowMs - movedMs > STUCK_MS || (fullSinceMs !== null && nowMs - fullSinceMs > FULL_MS);
  };
}
