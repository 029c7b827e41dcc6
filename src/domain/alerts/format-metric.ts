import type { AlertMetric } from "../../db/generated/enums.ts";
import { ALERT_METRICS, type WatchedMetric } from "./alert-metrics.ts";

/** The metric in words: "task failure rate". */
export function nameMetric(metric: AlertMetric): string {
  return metric.replaceAll("_", " ").replace("usd", "").trim();
}

/** A value of a metric in three digits with its unit: "43.2%", "90 s", "$12.50", "17". */
export function formatMetric(metric: AlertMetric, value: number): string {
  return FORMATS[ALERT_METRICS[metric].unit](value);
}

const FORMATS: Readonly<Record<WatchedMetric["unit"], (value: number) => string>> = {
  count: round,
  share: (value) => `${round(value * 100)}%`,
  seconds: (value) => `${round(value)} s`,
  usd: (value) => `$${value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`,
};

function round(value: number): string {
  const options = value < 1000 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 };
  return value.toLocaleString("en", options);
}
