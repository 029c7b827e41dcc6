import { setMaxListeners } from "node:events";

const LEAST_MS = 250;
const MOST_MS = 30_000;
/** With more, a timer would fire at once. */
const MOST_TIMER_MS = 2_147_483_647;

/**
 * The delay before a retry: random, up to a limit that doubles with each attempt (full jitter), so that clients don't
 * all retry together.
 *
 * @param attempt from 1.
 */
export function backoffMs(attempt: number): number {
  return Math.random() * Math.min(MOST_MS, LEAST_MS * 2 ** attempt);
}

/** Waits, or resolves early when the signal is aborted. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, Math.min(ms, MOST_TIMER_MS));
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    }
    signal?.addEventListener("abort", end, { once: true });
  });
}

/** Awaits a promise. @throws the signal's reason as soon as it is aborted. */
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
 * Runs loops until the signal is aborted. If one fails, all are stopped.
 *
 * @throws the first error, after all have ended.
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

/** A copy of the signal, because Node warns if one signal has more than ten listeners. */
function createSharedSignal(signal: AbortSignal): AbortSignal {
  const shared = AbortSignal.any([signal]);
  setMaxListeners(0, shared);
  return shared;
}
