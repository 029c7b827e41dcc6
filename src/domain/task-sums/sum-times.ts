/** In sums, the holder of tasks that had none, or that are not told apart by it. */
export const NO_AGENT = "00000000-0000-0000-0000-000000000000";

/** Builds the beginning of the hour or minute that an instant is in. */
export function buildBinSql(unit: "1 hour" | "1 minute", at: string): string {
  return `date_bin(interval '${unit}', ${at}, timestamptz '1970-01-01 00:00:00+00')`;
}
