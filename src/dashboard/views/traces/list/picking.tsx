import { useLocation } from "wouter";
import type { Column } from "../../../ui/table/row.tsx";
import { getTraceName } from "../get-trace-name.ts";
import type { TraceRow } from "./trace-rows.ts";

/** The ids of traces that are picked to be compared, at most two. */
export type Picked = readonly string[];

/** A column to pick two traces. Of three, the first one is given up. */
export function createPickColumn(picked: Picked, onPick: (picked: Picked) => void): Column<TraceRow> {
  return {
    header: "Compare",
    cell: (trace) => (
      <input
        type="checkbox"
        aria-label={`Compare ${getTraceName(trace)}`}
        checked={picked.includes(trace.traceId)}
        onChange={({ target }) => {
          const others = picked.filter((id) => id !== trace.traceId);
          onPick(target.checked ? [...others.slice(-1), trace.traceId] : others);
        }}
      />
    ),
    isEnd: true,
  };
}

/** Says how many are picked, and leads to the comparison. */
export function PickBar({ picked, onEnd }: { picked: Picked; onEnd: () => void }) {
  const [, go] = useLocation();
  const [before, after] = picked;
  return (
    <div className="notice row-between">
      <span role="status">
        {picked.length === 2
          ? "Two traces are picked."
          : "Pick two traces to compare, the earlier one first."}
      </span>
      <span className="actions">
        <button
          type="button"
          className="button button-small"
          disabled={after === undefined}
          onClick={() => go(`/traces/${before}/compare/${after}`)}
        >
          Compare
        </button>
        <button type="button" className="button button-small" onClick={onEnd}>
          Cancel
        </button>
      </span>
    </div>
  );
}
