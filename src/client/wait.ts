import { setMaxListeners } from "node:events";

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

/** Gives what a promise comes to. @throws the signal's reason as soon as it is given. */
export async function waitUnlessAborted<Value>(
  promise: Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  if (signal === undefined) return promise;
  const over = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { signal: over.signal });
  });
  try {
    if (!signal.aborted) await Promise.race([promise, aborted]);
    signal.throwIfAborted();
    return await promise;
  } finally {
    over.abort();
  }
}

/**
 * Runs loops until the signal is given. Where one fails all end.
 *
 * @throws what the first one failed with, when all have ended.
 */
export async function runTogether(
  signal: AbortSignal,
  loops: ((signal: AbortSignal) => Promise<void>)[],
): Promise<void> {
  const failed = new AbortController();
  const shared = createSharedSignal(AbortSignal.any([signal, failed.signal]));
  await Promise.all(loops.map((loop) => loop(shared).catch((error: unknown) => failed.abort(error))));
  failed.signal.throwIfAborted();
}

/** The same signal for as many as work on one loop: Node warns where more than ten listen to one. */
function createSharedSignal(signal: AbortSignal): AbortSignal {
  const shared = AbortSignal.any([signal]);
  setMaxListeners(0, shared);
  return shared;
}
