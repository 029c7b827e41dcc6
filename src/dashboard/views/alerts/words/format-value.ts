import { formatCost } from "../../../ui/format-cost.ts";
import { formatDuration } from "../../../ui/words.ts";
import { METRICS, type Metric } from "../alert-metrics.ts";

/** Formats a value of a metric for people: "12.5 %", "$4.20", "3 min 20 s", "1,204". */
export function formatValue(metric: Metric, value: number): string {
  switch (METRICS[metric].unit) {
    case "share":
      return `${formatNumber(value * 100)} %`;
    case "usd":
      return formatCost(value);
    case "seconds":
      return value < MINUTE && !Number.isInteger(value) ? `${formatNumber(value)} s` : formatDuration(value);
    case "count":
      return formatNumber(value);
  }
}

const MINUTE = 60;

function formatNumber(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 2 });
}
