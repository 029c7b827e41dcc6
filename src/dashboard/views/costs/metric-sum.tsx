import { formatCost } from "../../ui/format-cost.ts";
import { formatCount } from "../../ui/words.ts";
import type { CostSum } from "./costs-query.ts";

export type MetricProps = { of: CostSum["metrics"] };

/** What agents' own metrics say of calls. Some say tokens or a cost alone. */
export function MetricSum({ of: metrics }: MetricProps) {
  if (!saysMetrics(metrics)) return <span className="soft">–</span>;
  const tokens = metrics.inputTokens + metrics.outputTokens;
  const said = [
    ...(Number(metrics.costUsd) === 0 ? [] : [formatCost(metrics.costUsd)]),
    ...(tokens === 0 ? [] : [formatCount(tokens, "token")]),
  ];
  return <span>{said.join(", ")}</span>;
}

/** Whether there are any metrics. */
export function saysMetrics({ inputTokens, outputTokens, costUsd }: CostSum["metrics"]): boolean {
  return inputTokens > 0 || outputTokens > 0 || Number(costUsd) > 0;
}
