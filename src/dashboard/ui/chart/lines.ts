import type { Series } from "./chart-props.ts";

/** A series from GraphQL. */
export type MeasuredSeries = {
  key: string | null;
  from: string;
  stepSeconds: number;
  values: readonly (number | null)[];
};

/** From bottom to top. Completed tasks are the majority, so they come first. */
const STATUSES = [
  ["completed", "good"],
  ["canceled", "ink-soft"],
  ["rejected", "warn"],
  ["failed", "danger"],
] as const;

/** The times shared by a query's series, in seconds since 1970. */
export function getTimes(measured: readonly MeasuredSeries[] | undefined): number[] {
  const [first] = measured ?? [];
  if (first === undefined) return [];
  const from = Date.parse(first.from) / 1000;
  return first.values.map((_value, place) => from + place * first.stepSeconds);
}

/** Converts a series to a line. Empty if there is none. */
export function toLine(label: string, color: Series["color"], measured: MeasuredSeries | undefined): Series {
  return { label, color, values: measured?.values ?? [] };
}

/** The series for a status. */
export function findByStatus(
  status: string,
  measured: readonly MeasuredSeries[],
): MeasuredSeries | undefined {
  return measured.find(({ key }) => key === status);
}

/** One set of bars for each final status of tasks. */
export function toStatusLines(measured: readonly MeasuredSeries[]): Series[] {
  return STATUSES.map(([status, color]) => toLine(status, color, findByStatus(status, measured)));
}

/** Formats seconds with two digits: "0.04 s". */
export function formatSeconds(seconds: number): string {
  return `${Math.round(seconds * 100) / 100} s`;
}
