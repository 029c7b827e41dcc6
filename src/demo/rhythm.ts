const HOUR_MS = 3_600_000;
const HOURS = 30 * 24;
/** The last hours are what people see first, so they are always busy. */
const LIVELY_HOURS = 3;

/** How much happens in each hour of a working day, in the company's time zone. */
const WORKING_DAY = [
  ...[0.12, 0.1, 0.3, 0.24, 0.12, 0.16, 0.34, 0.62, 0.95, 1.15, 1.2, 1.05],
  ...[0.78, 0.98, 1.12, 1.08, 0.92, 0.7, 0.48, 0.36, 0.3, 0.24, 0.18, 0.14],
];
const WEEKEND = 0.32;
const COMPANY_UTC_OFFSET_HOURS = 1;

/**
 * Spreads work over the 30 days before `end`: more in working hours, less at night and at weekends.
 *
 * @returns the moment at which a share of it, 0 to 1, is done. Increases with the share.
 */
export function createRhythm(end: Date): (share: number) => Date {
  const sums = [0];
  for (let hour = 0; hour < HOURS; hour++) sums.push((sums[hour] ?? 0) + getWeight(end, hour));
  const total = sums[HOURS] ?? 0;
  return (share) => {
    const wanted = Math.min(Math.max(share, 0), 1) * total;
    const hour = Math.max(0, sums.findIndex((sum) => sum >= wanted) - 1);
    const [from, to] = [sums[hour] ?? 0, sums[hour + 1] ?? 0];
    const part = to === from ? 0 : (wanted - from) / (to - from);
    return new Date(Math.floor(end.getTime() - (HOURS - hour - part) * HOUR_MS));
  };
}

function getWeight(end: Date, hour: number): number {
  const at = new Date(end.getTime() - (HOURS - hour - COMPANY_UTC_OFFSET_HOURS) * HOUR_MS);
  const usual = WORKING_DAY[at.getUTCHours()] ?? 0;
  const weekend = at.getUTCDay() === 0 || at.getUTCDay() === 6;
  const weight = weekend ? usual * WEEKEND : usual;
  return HOURS - hour <= LIVELY_HOURS ? Math.max(weight, 0.9) : weight;
}
