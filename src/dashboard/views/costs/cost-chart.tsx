import { Chart } from "../../ui/chart/chart.tsx";
import { formatCost } from "../../ui/format-cost.ts";
import type { CostPeriod } from "./cost-period.ts";
import type { Costs } from "./costs-query.ts";

export type CostChartProps = {
  period: CostPeriod;
  /** In milliseconds since 1970. */
  starts: readonly number[];
  sums: Costs["steps"]["sums"];
};

/** What calls cost in each hour or day of a period. */
export function CostChart({ period, starts, sums }: CostChartProps) {
  const costs = new Map(sums.map(({ start, costUsd }) => [Date.parse(start ?? ""), Number(costUsd)]));
  const values = starts.map((start) => costs.get(start) ?? 0);
  const halfStep = period.stepMs / 2000;
  const times = starts.map((start) => start / 1000);
  return (
    <Chart
      title={`Cost of ${period.label}, by ${period.step} in UTC`}
      kind="bars"
      isUtc
      top={Math.max(...values) * 1.1}
      times={times}
      span={[(times[0] ?? 0) - halfStep, (times.at(-1) ?? 0) + halfStep]}
      series={[{ label: "dollars", color: "accent", values }]}
      format={formatCost}
    />
  );
}
