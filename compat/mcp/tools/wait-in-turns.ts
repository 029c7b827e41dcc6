import { LIMITS } from "../../../src/domain/kernel/limits.ts";

/**
 * Waits longer than one poll may.
 *
 * @param poll waits for so many seconds.
 * @param isOver whether there is what was waited for.
 */
export async function waitInTurns<Found>(
  { signal }: { signal: AbortSignal | null },
  seconds: number,
  { poll, isOver }: { poll: (seconds: number) => Promise<Found>; isOver: (found: Found) => boolean },
): Promise<Found> {
  const untilMs = performance.now() + seconds * 1000;
  for (let left = seconds; ; left = Math.floor((untilMs - performance.now()) / 1000)) {
    const found = await poll(Math.min(Math.max(left, 0), LIMITS.pollSeconds.max));
    if (left <= LIMITS.pollSeconds.max || isOver(found) || signal?.aborted === true) return found;
  }
}
