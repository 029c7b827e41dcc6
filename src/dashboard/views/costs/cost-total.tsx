import { Link } from "wouter";
import { Cost } from "../../ui/cost.tsx";
import { formatCount } from "../../ui/words.ts";
import type { Costs } from "./costs-query.ts";
import { MetricSum, saysMetrics } from "./metric-sum.tsx";

/** What all calls of a period cost, and what that leaves out. */
export function CostTotal({ of: all, label }: { of: Costs["all"]["sums"][number]; label: string }) {
  const { unpricedCalls, metrics } = all;
  return (
    <>
      <p>
        <strong>
          <Cost of={all} />
        </strong>{" "}
        in {label}.
      </p>
      {unpricedCalls > 0 && (
        <p className="notice">
          No amount contains what {formatCount(unpricedCalls, "call")} without a price cost. New calls have
          one once <Link href="/costs/prices">the price</Link> of their model is set:{" "}
          <Link href="/costs?by=model">costs by model</Link> show which have none.
        </p>
      )}
      {saysMetrics(metrics) && (
        <p>
          Agents’ own metrics say <MetricSum of={metrics} />, which is charged to nobody: what their spans and
          logs say is.
        </p>
      )}
    </>
  );
}
