import type { ReactNode } from "react";
import { Facts } from "../../../ui/facts.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import type { ShownBudget } from "../budget-fields.ts";
import { describeLimit, formatAmount } from "../words/amounts.ts";
import { describeScope } from "../words/describe-scope.ts";

/** A budget's rule, and who wrote it. */
export function BudgetFacts({ budget }: { budget: ShownBudget }) {
  const { enabled, scope, thresholds, unit, defaultEstimate, onExpiry, timeZone, generation } = budget;
  const facts: (readonly [name: string, value: ReactNode])[] = [
    ["Limit", describeLimit(budget)],
    ["Of", describeScope(scope)],
    ["Enabled", enabled ? "Yes" : "No: it is as if it weren’t there"],
    ["Time zone", timeZone],
    ["Thresholds", <Thresholds key="thresholds" thresholds={thresholds} />],
    ...(defaultEstimate === null ? [] : [["Estimate", formatAmount(unit, defaultEstimate)] as const]),
    [
      "Not settled",
      onExpiry === "CHARGE" ? "counts as used, marked as assumed" : "is given back when its time is over",
    ],
    ["Version", String(generation)],
    ["Created", <When key="created" at={budget.createdAt} by={budget.createdBy.name} />],
    ["Changed", <When key="changed" at={budget.updatedAt} by={budget.updatedBy.name} />],
  ];
  return (
    <section className="card" aria-label="Details">
      <Facts facts={facts} />
    </section>
  );
}

const ACTIONS = { WARN: "warn", PAUSE: "pause the agents", ASK: "ask a person" } as const;

function Thresholds({ thresholds }: Pick<ShownBudget, "thresholds">) {
  if (thresholds.length === 0) return "none";
  return (
    <ul className="stack-s">
      {thresholds.map(({ percent, action }) => (
        <li key={percent}>
          {percent} %: {ACTIONS[action]}
        </li>
      ))}
    </ul>
  );
}

function When({ at, by }: { at: string; by: string }) {
  return (
    <>
      <TimeAgo at={at} /> by {by}
    </>
  );
}
