import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import type { ShownBudget, ShownSum } from "../budget-fields.ts";
import { BudgetBar, describeSum } from "../budget-bar.tsx";
import { describeLimit } from "../words/amounts.ts";
import { describeScope } from "../words/describe-scope.ts";
import { getSumName } from "../words/sum-name.ts";

export type BudgetRow = ShownBudget & { windows: readonly ShownSum[] };

export const BUDGET_COLUMNS: readonly Column<BudgetRow>[] = [
  { header: "Budget", cell: ({ name }) => name },
  { header: "Limit", cell: Limit },
  { header: "Of", cell: ({ scope }) => describeScope(scope) },
  { header: "Used now", cell: Used },
  { header: "Changed", cell: ({ updatedAt }) => <TimeAgo at={updatedAt} />, isEnd: true },
];

function Limit(budget: BudgetRow) {
  return (
    <span className="in-line">
      {describeLimit(budget)}
      {!budget.enabled && <span className="badge">disabled</span>}
    </span>
  );
}

/** The fullest sum. */
function Used(budget: BudgetRow) {
  const [sum] = budget.windows;
  if (sum === undefined) return <span className="soft">nothing in this period</span>;
  const name = getSumName(budget, sum);
  return (
    <div className="budgets-sum">
      <BudgetBar budget={budget} sum={sum} of={name ?? budget.name} />
      <span className="small soft">
        {name !== null && `${name}: `}
        {describeSum(budget.unit, sum)}
      </span>
    </div>
  );
}
