import type { Option } from "../../ui/form/select-field.tsx";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** By name in the URL. They consist of whole hours or days in UTC, as sums do. */
export const COST_PERIODS = {
  day: { name: "day", label: "the last day", step: "hour", period: "HOUR", stepMs: HOUR_MS, steps: 24 },
  week: { name: "week", label: "the last week", step: "day", period: "DAY", stepMs: DAY_MS, steps: 7 },
  month: { name: "month", label: "the last 30 days", step: "day", period: "DAY", stepMs: DAY_MS, steps: 30 },
} as const;

export type CostPeriod = (typeof COST_PERIODS)[keyof typeof COST_PERIODS];

export const PERIOD_OPTIONS: readonly Option[] = Object.entries(COST_PERIODS).map(([name, { label }]) => [
  name,
  label,
]);

/** The period named in the URL. Default: the last week. */
export function parseCostPeriod(name: string): CostPeriod {
  return name === "day" || name === "month" ? COST_PERIODS[name] : COST_PERIODS.week;
}

/** When each step of a period up to now begins, and when the last one ends. */
export function listStarts({ stepMs, steps }: CostPeriod, now: number): { starts: number[]; end: number } {
  const end = (Math.floor(now / stepMs) + 1) * stepMs;
  return { starts: Array.from({ length: steps }, (_, at) => end - (steps - at) * stepMs), end };
}
