import type { Limit } from "../../ui/chart/chart-props.ts";
import { Chart } from "../../ui/chart/chart.tsx";
import { formatCost } from "../../ui/format-cost.ts";
import { describeLimit } from "../budgets/words/amounts.ts";
import type { CostBudget } from "./cost-budgets.tsx";
import type { CostPeriod } from "./cost-period.ts";
import type { Costs } from "./costs-query.ts";

export type CostChartProps = {
  period: CostPeriod;
  /** In milliseconds since 1970. */
  starts: readonly number[];
  sums: Costs["steps"]["sums"];
  budgets: readonly CostBudget[];
  /** Thresholds of alert rules for as long as a step. */
  alerts: readonly Limit[];
};

/** A limit so many times higher than all costs would make their bars invisible. */
const MOST_ABOVE = 4;

/** What calls cost in each hour or day of a period. */
export function CostChart({ period, starts, sums, budgets, alerts }: CostChartProps) {
  const costs = new Map(sums.map(({ start, costUsd }) => [Date.parse(start ?? ""), Number(costUsd)]));
  const values = starts.map((start) => costs.get(start) ?? 0);
  const highest = Math.max(...values);
  const ofBudgets = budgets
    .filter((budget) => budget.scope.type === "WORKSPACE" && budget.period === period.period)
    .map((budget) => ({ label: `${budget.name}: ${describeLimit(budget)}`, value: Number(budget.limit) }));
  const limits = [...ofBudgets, ...alerts].filter(({ value }) => value <= highest * MOST_ABOVE);
  const halfStep = period.stepMs / 2000;
  const times = starts.map((start) => start / 1000);
  return (
    <Chart
      title={`Cost of ${period.label}, by ${period.step} in UTC`}
      kind="bars"
      isUtc
      top={Math.max(highest, ...limits.map(({ value }) => value)) * 1.1}
      limits={limits}
      times={times}
      span={[(times[0] ?? 0) - halfStep, (times.at(-1) ?? 0) + halfStep]}
      series={[{ label: "dollars", color: "accent", values }]}
      format={formatCost}
    />
  );
}
