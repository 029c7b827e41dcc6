import { Cost } from "../../ui/cost.tsx";
import type { Column } from "../../ui/table/row.tsx";
import { getSumName } from "./cost-grouping.ts";
import type { CostSum } from "./costs-query.ts";

const NUMBERS: readonly Column<CostSum>[] = [
  { header: "Cost", cell: (sum) => <Cost of={sum} />, isEnd: true },
  { header: "Calls", cell: ({ calls }) => calls.toLocaleString("en"), isEnd: true },
  { header: "Input", cell: ({ inputTokens }) => inputTokens.toLocaleString("en"), isEnd: true },
  {
    header: "Cached input",
    cell: ({ cacheReadTokens }) => cacheReadTokens.toLocaleString("en"),
    isEnd: true,
  },
  { header: "Output", cell: ({ outputTokens }) => outputTokens.toLocaleString("en"), isEnd: true },
];

/** The columns of a table whose rows are called `name`. */
export function listCostColumns(name: string): readonly Column<CostSum>[] {
  return [{ header: name, cell: getSumName }, ...NUMBERS];
}
