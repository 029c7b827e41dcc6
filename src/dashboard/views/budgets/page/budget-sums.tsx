import { Link } from "wouter";
import { useNow } from "../../../ui/use-now.ts";
import { BudgetBar, describeSum } from "../budget-bar.tsx";
import type { ShownBudget, ShownSum } from "../budget-fields.ts";
import { describePace } from "../words/describe-pace.ts";
import { getSumName } from "../words/sum-name.ts";

export type BudgetSumsProps = {
  budget: ShownBudget & { windows: readonly ShownSum[] };
  /** Whether all sums are here. */
  isWhole: boolean;
};

/** What was used in the current period, the fullest sums first. */
export function BudgetSums({ budget, isWhole }: BudgetSumsProps) {
  const { windows, thresholds, period } = budget;
  return (
    <section className="card stack-m" aria-labelledby="budget-sums">
      <h2 id="budget-sums">{period === "TOTAL" ? "So far" : "In this period"}</h2>
      {windows.length === 0 ? (
        <p className="soft">Nothing was reserved or used yet.</p>
      ) : (
        <>
          <Key hasThresholds={thresholds.length > 0} />
          <ul className="budgets-sums">
            {windows.map((sum) => (
              <li key={sum.subject} className="budgets-sum">
                <Sum budget={budget} sum={sum} />
              </li>
            ))}
          </ul>
          {!isWhole && <p className="small soft">These are the fullest {windows.length}.</p>}
        </>
      )}
    </section>
  );
}

function Sum({ budget, sum }: { budget: ShownBudget; sum: ShownSum }) {
  const now = useNow();
  const name = getSumName(budget, sum);
  return (
    <>
      {name !== null &&
        (sum.agent === null ? <strong>{name}</strong> : <Link href={`/agents/${sum.subject}`}>{name}</Link>)}
      <BudgetBar budget={budget} sum={sum} of={name ?? budget.name} />
      <p className="small soft">
        {describeSum(budget.unit, sum)}. {describePace(sum, { since: budget.createdAt, now })}
      </p>
    </>
  );
}

/** What the parts of a bar mean. */
function Key({ hasThresholds }: { hasThresholds: boolean }) {
  return (
    <ul className="budgets-key small soft" aria-label="Key">
      {PARTS.map(([name, label]) => (
        <li key={name}>
          <span className={`budgets-swatch budgets-${name}`} aria-hidden="true" />
          {label}
        </li>
      ))}
      {hasThresholds && <li>| threshold</li>}
    </ul>
  );
}

const PARTS = [
  ["known", "used"],
  ["assumed", "assumed: its agent never said"],
  ["reserved", "reserved"],
] as const;
