import { formatDuration } from "../../../ui/words.ts";
import type { ShownSum } from "../budget-fields.ts";
import { toNumbers } from "./amounts.ts";

/**
 * When a sum reaches its limit at the pace of its period so far.
 *
 * @param since when the budget was created: a sum that never starts anew begins there.
 */
export function describePace(sum: ShownSum, { since, now }: { since: string; now: number }): string {
  const { limit, used, reserved } = toNumbers(sum);
  const free = limit - used - reserved;
  if (free <= 0) return sum.endsAt === null ? "Used up." : `Used up until ${formatEnd(sum.endsAt, now)}.`;
  if (used === 0) return "Nothing was used yet.";
  const startedAt = Math.max(Date.parse(sum.startsAt), sum.endsAt === null ? Date.parse(since) : 0);
  const perSecond = used / Math.max(1, (now - startedAt) / 1000);
  const leftSeconds = free / perSecond;
  const endsInSeconds = sum.endsAt === null ? Infinity : (Date.parse(sum.endsAt) - now) / 1000;
  if (leftSeconds >= endsInSeconds) return "Lasts until the period ends at this pace.";
  if (leftSeconds > MOST_SECONDS) return "Lasts for more than a year at this pace.";
  return `Runs out in ${formatDuration(leftSeconds)} at this pace.`;
}

const MOST_SECONDS = 366 * 86_400;

function formatEnd(endsAt: string, now: number): string {
  return `the next period, in ${formatDuration((Date.parse(endsAt) - now) / 1000)}`;
}
