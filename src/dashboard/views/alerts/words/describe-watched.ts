import { formatDuration } from "../../../ui/words.ts";
import { METRICS } from "../alert-metrics.ts";
import type { ShownAlert } from "../alert-fields.ts";
import { formatValue } from "./format-value.ts";

/** "Failure rate of tasks, last 15 min" */
export function describeMetric({
  metric,
  windowSeconds,
}: Pick<ShownAlert, "metric" | "windowSeconds">): string {
  const { label } = METRICS[metric];
  return windowSeconds === null ? label : `${label}, last ${formatDuration(windowSeconds)}`;
}

export type Watched = Pick<ShownAlert, "agentUuid" | "agent" | "label" | "labelValue" | "queue">;

/** "agents with team = finance, queue billing" */
export function describeWatched({ agentUuid, agent, label, labelValue, queue }: Watched): string {
  const parts = [
    ...(agentUuid === null ? [] : [agent?.name ?? "one agent"]),
    ...(label === null ? [] : [`agents with ${label} = ${labelValue ?? ""}`]),
    ...(queue === null ? [] : [`queue ${queue}`]),
  ];
  return parts.length === 0 ? "the workspace" : parts.join(", ");
}

/** "20 % for 2 min" */
export function describeThreshold({
  metric,
  threshold,
  forSeconds,
}: Pick<ShownAlert, "metric" | "threshold" | "forSeconds">): string {
  const limit = formatValue(metric, threshold);
  return forSeconds === 0 ? limit : `${limit} for ${formatDuration(forSeconds)}`;
}
