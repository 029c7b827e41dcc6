import { Cost, type CostProps } from "../../ui/cost.tsx";
import { formatCount } from "../../ui/words.ts";

/** What all calls of a period cost, and what that leaves out. */
export function CostTotal({ of: all, label }: CostProps & { label: string }) {
  const { unpricedCalls } = all;
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
          one once the mutation setModelPrice has set it for their model.
        </p>
      )}
    </>
  );
}
