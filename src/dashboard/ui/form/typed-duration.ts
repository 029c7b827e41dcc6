/** An entered duration: an amount of a unit, which is its number of seconds. "" means not set. */
export type TypedDuration = Readonly<{ amount: string; unit: string }>;

export const DURATION_UNITS = [
  ["1", "seconds"],
  ["60", "minutes"],
  ["3600", "hours"],
  ["86400", "days"],
] as const;

/** Writes seconds in the largest unit of which they are a whole number, up to hours. */
export function toTypedDuration(seconds: number): TypedDuration {
  const unit = [HOUR, MINUTE].find((size) => seconds >= size && seconds % size === 0) ?? 1;
  return { amount: String(seconds / unit), unit: String(unit) };
}

const MINUTE = 60;
const HOUR = 3600;

/** Parses an entered duration. @returns seconds, or null if it is none. */
export function toSeconds({ amount, unit }: TypedDuration): number | null {
  const seconds = Number(amount) * Number(unit);
  if (amount.trim() === "" || !Number.isFinite(seconds) || seconds < 0) return null;
  // 0.1 minutes are 6 seconds, not 6.000000000000001.
  return Number(seconds.toPrecision(DIGITS));
}

const DIGITS = 12;
