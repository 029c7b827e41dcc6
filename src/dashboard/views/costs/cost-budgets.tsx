import type { ResultOf } from "gql.tada";
import { Link } from "wouter";
import { graphql } from "../../data/graphql.ts";
import { toVisibleText } from "../../ui/to-visible-text.ts";
import { formatCount } from "../../ui/words.ts";
import { BudgetBar, describeSum } from "../budgets/budget-bar.tsx";
import { BudgetFields, BudgetSumFields } from "../budgets/budget-fields.ts";
import { describeLimit } from "../budgets/words/amounts.ts";
import { describeScope } from "../budgets/words/describe-scope.ts";
import { getSumName } from "../budgets/words/sum-name.ts";
import "../budgets/budgets.css";

/** Budgets in dollars, newest first, each with the fullest of its sums. */
export const CostBudgetsQuery = graphql(
  `
    query CostBudgets {
      budgets(first: 50, filter: { unit: USD, enabled: true }) {
        totalCount
        nodes {
          ...BudgetFields
          windows(first: 1, order: FULLEST) {
            ...BudgetSumFields
          }
        }
      }
    }
  `,
  [BudgetFields, BudgetSumFields],
);

export type CostBudget = ResultOf<typeof CostBudgetsQuery>["budgets"]["nodes"][number];

/** Others are on the budgets' page. */
const MOST_SHOWN = 5;

/** How much of the budgets in dollars is used. */
export function CostBudgets({ budgets, total }: { budgets: readonly CostBudget[]; total: number | null }) {
  if (budgets.length === 0) return null;
  const more = (total ?? budgets.length) - MOST_SHOWN;
  return (
    <section className="card stack-m" aria-labelledby="cost-budgets">
      <h2 id="cost-budgets">Budgets</h2>
      {budgets.slice(0, MOST_SHOWN).map((budget) => (
        <div key={budget.uuid} className="stack-s">
          <span>
            <Link href={`/budgets/${budget.uuid}`}>{toVisibleText(budget.name)}</Link>:{" "}
            {describeLimit(budget)}, {describeScope(budget.scope)}
          </span>
          <Fullest budget={budget} />
        </div>
      ))}
      {more > 0 && (
        <Link href="/budgets?unit=USD&enabled=yes">{formatCount(more, "more budget")} in dollars</Link>
      )}
    </section>
  );
}

function Fullest({ budget }: { budget: CostBudget }) {
  const [sum] = budget.windows;
  if (sum === undefined) return <span className="small soft">nothing in this period</span>;
  const name = getSumName(budget, sum);
  return (
    <>
      <BudgetBar budget={budget} sum={sum} of={name ?? budget.name} />
      <span className="small soft">
        {name !== null && `${name}: `}
        {describeSum(budget.unit, sum)}
      </span>
    </>
  );
}
