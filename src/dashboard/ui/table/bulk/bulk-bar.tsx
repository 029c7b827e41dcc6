import { useState } from "react";
import { formatCount } from "../../words.ts";
import type { Bulk, BulkAct } from "./bulk-act.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import type { Selection } from "./use-selection.ts";

export type BulkBarProps<Node> = {
  /** What is listed, singular and plural. */
  one: string;
  many: string;
  bulk: Bulk<Node>;
  selection: Selection<Node>;
};

/** Says how many rows are selected, and offers what can be done with them. */
export function BulkBar<Node>({ one, many, bulk, selection }: BulkBarProps<Node>) {
  const [chosen, setChosen] = useState<{ act: BulkAct<Node>; nodes: readonly Node[] } | null>(null);
  const { selected, clear } = selection;
  if (selected.length === 0 && chosen === null) return null;
  return (
    <div className="notice row-between">
      <span role="status">{formatCount(selected.length, one, many)} selected</span>
      <span className="actions">
        {bulk.acts.map((act) => {
          const nodes = selected.filter(act.isPossible);
          if (nodes.length === 0) return null;
          return (
            <button
              key={act.label}
              type="button"
              className="button button-small"
              onClick={() => setChosen({ act, nodes })}
            >
              {act.label} {nodes.length}
            </button>
          );
        })}
        <button type="button" className="button button-small" onClick={clear}>
          Select none
        </button>
      </span>
      {chosen !== null && (
        <BulkDialog
          {...chosen}
          title={`${chosen.act.label} ${formatCount(chosen.nodes.length, one, many)}?`}
          getName={bulk.getName}
          onClose={() => setChosen(null)}
          onDone={clear}
        />
      )}
    </div>
  );
}
