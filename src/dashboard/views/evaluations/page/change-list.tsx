import { useState } from "react";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { toWords } from "../../../ui/words.ts";
import { ItemComparison } from "./item-comparison.tsx";

type Change = { itemKey: string; from: string | null; to: string | null };

/** Items whose results differ between two runs. */
export type ChangeListProps = {
  title: string;
  /** The full number. Only the first ones are listed. */
  total: number;
  changes: readonly Change[];
  runs: { runId: string; baselineId: string };
  isOpenFirst?: boolean;
};

/** Items with one type of change. Collapsed unless most important. */
export function ChangeList({ title, total, changes, runs, isOpenFirst = false }: ChangeListProps) {
  if (total === 0) {
    return isOpenFirst ? <p className="notice notice-good">No {title.toLowerCase()}.</p> : null;
  }
  return (
    <details className="changes" open={isOpenFirst}>
      <summary>
        {title}: {total.toLocaleString("en")}
      </summary>
      <ul className="evaluations-changes">
        {changes.map((change) => (
          <li key={change.itemKey}>
            <ChangedItem change={change} runs={runs} />
          </li>
        ))}
      </ul>
      {changes.length < total && <p className="small soft">Showing the first {changes.length}.</p>}
    </details>
  );
}

function ChangedItem({
  change: { itemKey, from, to },
  runs,
}: { change: Change } & Pick<ChangeListProps, "runs">) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <code>{itemKey}</code> {from !== null && <span className="soft">{toWords(from)} →</span>}{" "}
        {to === null ? <span className="soft">removed</span> : <StatusChip status={to} />}
      </summary>
      {isOpen && <ItemComparison {...runs} itemKey={itemKey} />}
    </details>
  );
}
