import { Cost } from "../../ui/cost.tsx";
import type { Column } from "../../ui/table/row.tsx";
import { getSumName } from "./cost-grouping.ts";
import type { CostSum } from "./costs-query.ts";
import { MetricSum, saysMetrics } from "./metric-sum.tsx";
import { SetPriceLink } from "./set-price-link.tsx";

const NUMBERS: readonly Column<CostSum>[] = [
  {
    header: "Cost",
    cell: (sum) =>
      sum.calls === 0 ? (
        <span className="soft">none charged</span>
      ) : (
        <>
          <Cost of={sum} /> <SetPriceLink of={sum} />
        </>
      ),
    isEnd: true,
  },
  { header: "Calls", cell: ({ calls }) => calls.toLocaleString("en"), isEnd: true },
  { header: "Input", cell: ({ inputTokens }) => inputTokens.toLocaleString("en"), isEnd: true },
  {
    header: "Cached input",
    cell: ({ cacheReadTokens }) => cacheReadTokens.toLocaleString("en"),
    isEnd: true,
  },
  { header: "Output", cell: ({ outputTokens }) => outputTokens.toLocaleString("en"), isEnd: true },
];

const METRICS: Column<CostSum> = {
  header: "By metrics",
  cell: ({ metrics }) => <MetricSum of={metrics} />,
  isEnd: true,
};

/** The columns of a table of these sums, whose rows are called `name`. Most workspaces have no metrics. */
export function listCostColumns(name: string, sums: readonly CostSum[]): readonly Column<CostSum>[] {
  const hasMetrics = sums.some(({ metrics }) => saysMetrics(metrics));
  return [{ header: name, cell: getSumName }, ...NUMBERS, ...(hasMetrics ? [METRICS] : [])];
}
