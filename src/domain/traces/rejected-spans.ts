import { SPAN_LIMITS } from "./span-limits.ts";
import type { RejectedSpans } from "./telemetry.ts";

/** Counts what is rejected, and keeps the first reasons. */
export function reject(rejected: RejectedSpans, number: number, reason: string): void {
  rejected.count++;
  if (rejected.reasons.length < SPAN_LIMITS.reasons)
    rejected.reasons.push(`${rejected.word} ${number}: ${reason}`);
}
