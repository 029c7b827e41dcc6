const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/** How long after each failed attempt the next one follows. */
const DELAYS_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR];

/** The longest delay that a receiver can ask for. */
const MOST_ASKED_MS = 10 * HOUR;
const JITTER = 0.1;

/**
 * The delay before the next attempt; null if there is none.
 *
 * @param attempts how many there were.
 * @param retryAfterMs how long the receiver asks to wait at least.
 */
export function findRetryDelayMs(attempts: number, retryAfterMs: number | null): number | null {
  const delayMs = DELAYS_MS[attempts - 1];
  if (delayMs === undefined) return null;
  const asked = Math.min(retryAfterMs ?? 0, MOST_ASKED_MS);
  return Math.round(Math.max(delayMs, asked) * (1 + JITTER * Math.random()));
}

/**
 * Reads a Retry-After header. Returns null if it has none that is understood.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * SECOND;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
