import { formatCost } from "./format-cost.ts";

export type TraceUsage = { costUsd: string; unpricedCalls: number };

/** What the calls of a trace cost, and how many of them have no price. */
export function TraceCost({ trace: { costUsd, unpricedCalls } }: { trace: TraceUsage }) {
  if (Number(costUsd) === 0 && unpricedCalls > 0) return <span className="soft">no price</span>;
  return (
    <span className="nowrap">
      {formatCost(costUsd)}
      {unpricedCalls > 0 && <span className="small soft"> + {unpricedCalls} without a price</span>}
    </span>
  );
}
