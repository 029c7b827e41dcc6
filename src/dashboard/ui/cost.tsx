import { formatCost } from "./format-cost.ts";

export type CostProps = { of: { costUsd: string; unpricedCalls: number } };

/** What calls cost, and how many of them have no price. */
export function Cost({ of: { costUsd, unpricedCalls } }: CostProps) {
  if (Number(costUsd) === 0 && unpricedCalls > 0) return <span className="soft">no price</span>;
  return (
    <span>
      {formatCost(costUsd)}
      {unpricedCalls > 0 && (
        <>
          {" "}
          <span className="small soft nowrap">+ {unpricedCalls.toLocaleString("en")} without a price</span>
        </>
      )}
    </span>
  );
}
