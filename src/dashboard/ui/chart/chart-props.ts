/** One line or one set of bars. */
export type Series = {
  label: string;
  /** The colour's name among the tokens. */
  color: "accent" | "good" | "warn" | "danger" | "ink-soft";
  /** One for each of the chart's times; null where nothing was measured. */
  values: readonly (number | null)[];
};

/** What a chart shows. */
export type ChartProps = {
  title: string;
  /** Seconds since 1970, rising. */
  times: readonly number[];
  series: readonly Series[];
  /** From when to when it is, in seconds since 1970; from the first to the last of its times where left out. */
  span?: readonly [from: number, to: number];
  /** How high it is at least; as high as its values where it is left out. */
  top?: number;
  /** Bars stand on each other; lines where it is left out. */
  kind?: "lines" | "bars";
  /** How a value is written; as a number where it is left out. */
  format?: (value: number) => string;
};
