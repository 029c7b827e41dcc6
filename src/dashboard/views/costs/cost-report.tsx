import { useLiveQuery } from "../../data/use-live-query.ts";
import { useNow } from "../../ui/use-now.ts";
import { toLimit, useChartRules } from "../alerts/use-chart-rules.ts";
import { BUDGET_FRESHNESS } from "../budgets/budget-fields.ts";
import { CostBudgets, CostBudgetsQuery } from "./cost-budgets.tsx";
import { CostChart } from "./cost-chart.tsx";
import { DIMENSIONS, type Grouping } from "./cost-grouping.ts";
import { type CostPeriod, listStarts } from "./cost-period.ts";
import { CostTable } from "./cost-table.tsx";
import { CostTotal } from "./cost-total.tsx";
import { CostsQuery } from "./costs-query.ts";

/** Charges have no events, since many calls may come each second. */
const FRESHNESS = { types: [], everyMs: 10_000 };

/** Of all sums, those that cost most. */
const MAX_SHOWN = 200;

/** The cost of a period: in all, over time, and of each agent, model, task, or hour or day. */
export function CostReport({ period, grouping }: { period: CostPeriod; grouping: Grouping }) {
  const { starts, end } = listStarts(period, useNow());
  const from = starts[0] ?? end;
  const query = useLiveQuery(
    CostsQuery,
    {
      dimension: DIMENSIONS[grouping],
      period: period.period,
      perPeriod: grouping === "time",
      from: new Date(from).toISOString(),
      to: new Date(end).toISOString(),
      first: MAX_SHOWN,
    },
    FRESHNESS,
  );
  const { data } = query;
  const { budgets = null } = useLiveQuery(CostBudgetsQuery, {}, BUDGET_FRESHNESS).data ?? {};
  const alerts = useChartRules()
    .filter(({ metric, windowSeconds }) => metric === "COST_USD" && windowSeconds === period.stepMs / 1000)
    .map(toLimit);
  const [all] = data?.all.sums ?? [];
  return (
    <>
      {all !== undefined && <CostTotal of={all} label={period.label} />}
      {all !== undefined && (
        <CostChart
          {...{ period, starts, alerts }}
          sums={data?.steps.sums ?? []}
          budgets={budgets?.nodes ?? []}
        />
      )}
      {budgets !== null && <CostBudgets budgets={budgets.nodes} total={budgets.totalCount} />}
      {grouping === "task" && (
        <p className="small soft">Only of traces whose spans name their task, in aos.task_id.</p>
      )}
      <CostTable {...{ grouping, period, from, query }} usage={data?.usage ?? null} />
    </>
  );
}
