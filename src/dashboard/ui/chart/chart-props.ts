/** One line or set of bars. */
export type Series = {
  label: string;
  /** The name of the color token. */
  color: "accent" | "good" | "warn" | "danger" | "ink-soft";
  /** One value per time of the chart. Null if nothing was measured. */
  values: readonly (number | null)[];
};

/** A value that is not to be passed. */
export type Limit = {
  label: string;
  value: number;
  /** Whether it is passed at the moment. */
  isPassed?: boolean;
};

export type ChartProps = {
  title: string;
  /** Ascending, in seconds since 1970. */
  times: readonly number[];
  series: readonly Series[];
  /** Drawn as dashed lines. */
  limits?: readonly Limit[];
  /** The time range in seconds since 1970. Default: from the first to the last time. */
  span?: readonly [from: number, to: number];
  /** Minimum upper end of the scale. Default: the highest value. */
  top?: number;
  /** Bars are stacked. Default: lines. */
  kind?: "lines" | "bars";
  /** Whether times are in UTC, as what is summed by day is. Default: the browser's time zone. */
  isUtc?: boolean;
  /** Formats a value. Default: as a number. */
  format?: (value: number) => string;
};
