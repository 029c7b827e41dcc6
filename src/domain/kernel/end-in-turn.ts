/** To answer a request whose wait has ended costs a tenth of a millisecond. */
const MOST_OF_TURN = 32;

/** Waits that have ended, in order. */
const ended = new Set<() => void>();

/**
 * Calls a function once few others are called in the same turn of the event loop: a revocation or a stop ends thousands
 * of waits at once. What must not happen from now on has to be prevented before.
 */
export function endInTurn(end: () => void): void {
  if (ended.size === 0) setImmediate(endSome);
  ended.add(end);
}

function endSome(): void {
  let left = MOST_OF_TURN;
  for (const end of ended) {
    if (left-- === 0) break;
    ended.delete(end);
    end();
  }
  if (ended.size > 0) setImmediate(endSome);
}
