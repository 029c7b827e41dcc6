import type { ShownBudget, ShownSum } from "./budget-fields.ts";
import { type SumNumbers, formatAmount, toNumbers } from "./words/amounts.ts";

export type BudgetBarProps = {
  budget: Pick<ShownBudget, "unit" | "thresholds">;
  sum: ShownSum;
  /** Whose it is, for screen readers. */
  of: string;
};

/** A sum as a bar: what is known to be used, what is assumed, what is reserved, with marks where thresholds are. */
export function BudgetBar({ budget: { unit, thresholds }, sum, of }: BudgetBarProps) {
  const numbers = toNumbers(sum);
  const scale = Math.max(numbers.limit, numbers.used + numbers.reserved);
  return (
    <div className="budgets-bar" role="img" aria-label={`${of}: ${describeSum(unit, sum)}`}>
      <div className="budgets-parts">
        {toParts(numbers).map(([name, amount]) => (
          <span
            key={name}
            className={`budgets-part budgets-${name}`}
            style={{ width: toPercent(amount, scale) }}
          />
        ))}
      </div>
      {thresholds.map(({ percent }) => (
        <span
          key={percent}
          className="budgets-mark"
          style={{ left: toPercent((numbers.limit * percent) / 100, scale) }}
        />
      ))}
      {scale > numbers.limit && (
        <span className="budgets-mark budgets-limit" style={{ left: toPercent(numbers.limit, scale) }} />
      )}
    </div>
  );
}

function toParts({ used, assumed, reserved }: SumNumbers): [name: string, amount: number][] {
  return [
    ["known", used - assumed],
    ["assumed", assumed],
    ["reserved", reserved],
  ];
}

function toPercent(amount: number, scale: number): string {
  return `${Math.max(0, (amount / scale) * 100)}%`;
}

/** "$4.20 used, of which $1 is assumed and $2 are reported, $2 reserved, of $10" */
export function describeSum(unit: ShownBudget["unit"], sum: ShownSum): string {
  const { limit, used, reserved, assumed, reported } = sum;
  const shares = Object.entries({ assumed, reported })
    .filter(([, amount]) => amount !== "0")
    .map(([name, amount]) => `${formatAmount(unit, amount)} ${IS[Number(amount === "1")]} ${name}`);
  const parts = [
    `${formatAmount(unit, used)} used`,
    ...(shares.length === 0 ? [] : [`of which ${shares.join(" and ")}`]),
    ...(reserved === "0" ? [] : [`${formatAmount(unit, reserved)} reserved`]),
    `of ${formatAmount(unit, limit)}`,
  ];
  return parts.join(", ");
}

const IS = ["are", "is"] as const;
