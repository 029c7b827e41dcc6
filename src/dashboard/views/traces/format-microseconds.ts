import { formatDuration } from "../../ui/words.ts";

const MS = 1000;
const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;

/** Formats a short duration in three digits, a longer one in its two largest units: "12.3 ms", "3 min 5 s". */
export function formatMicroseconds(us: number): string {
  if (us >= MINUTE) return formatDuration(us / SECOND);
  if (us >= SECOND) return `${toDigits(us / SECOND)} s`;
  return us >= MS ? `${toDigits(us / MS)} ms` : `${Math.round(us)} µs`;
}

const DIGITS = new Intl.NumberFormat("en", { maximumSignificantDigits: 3, useGrouping: false });

function toDigits(value: number): string {
  return DIGITS.format(value);
}
