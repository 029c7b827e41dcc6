import { useState } from "react";
import { formatCount } from "../../words.ts";
import type { Connection } from "../connection.ts";
import type { BulkAct, ListBulk } from "./bulk-act.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import { SelectMatching } from "./select-matching.tsx";
import type { Selection } from "./use-selection.ts";

export type BulkBarProps<Node, Data> = {
  /** What is listed, singular and plural. */
  one: string;
  many: string;
  bulk: ListBulk<Node, Data>;
  selection: Selection<Node>;
  page: Connection<Node>;
};

/** Says how many rows are selected, and offers what can be done with them. */
export function BulkBar<Node, Data>(props: BulkBarProps<Node, Data>) {
  const { one, many, bulk, selection, page } = props;
  const [chosen, setChosen] = useState<{ act: BulkAct<Node>; nodes: readonly Node[] } | null>(null);
  const { selected, isAll, selectRows, clear } = selection;
  const { hasNextPage, hasPreviousPage } = page.pageInfo;
  const hasOthers = (hasNextPage || hasPreviousPage) && selected.length === page.nodes.length;
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
        {isAll && hasOthers && (
          <SelectMatching
            {...{ one, many }}
            source={bulk.source}
            total={page.totalCount}
            onSelect={selectRows}
          />
        )}
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
