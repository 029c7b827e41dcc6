import { SPAN_LIMITS } from "./span-limits.ts";
import type { RejectedSpans } from "./telemetry.ts";

/** Counts a rejected span, and keeps the first reasons. */
export function reject(rejected: RejectedSpans, number: number, reason: string): void {
  rejected.count++;
  if (rejected.reasons.length < SPAN_LIMITS.reasons) rejected.reasons.push(`span ${number}: ${reason}`);
}
