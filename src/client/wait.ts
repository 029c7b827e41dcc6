const LEAST_MS = 250;
const MOST_MS = 30_000;

/**
 * How long to wait before an attempt: anything up to a limit that doubles each time (full jitter), so that
 * those who failed together don't come back together.
 *
 * @param attempt from 1.
 */
export function backoffMs(attempt: number): number {
  return Math.random() * Math.min(MOST_MS, LEAST_MS * 2 ** attempt);
}

/** Waits for so long, or until the signal is given. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    }
    signal?.addEventListener("abort", end, { once: true });
  });
}
