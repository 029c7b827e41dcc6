import { StatusChip } from "../../../ui/status-chip.tsx";
import { toWords } from "../../../ui/words.ts";

/** Items whose results differ between two runs. */
export type ChangeListProps = {
  title: string;
  /** The full number. Only the first ones are listed. */
  total: number;
  changes: readonly { itemKey: string; from: string | null; to: string | null }[];
  isOpenFirst?: boolean;
};

/** Items with one type of change. Collapsed unless most important. */
export function ChangeList({ title, total, changes, isOpenFirst = false }: ChangeListProps) {
  if (total === 0) {
    return isOpenFirst ? <p className="notice notice-good">No {title.toLowerCase()}.</p> : null;
  }
  return (
    <details className="changes" open={isOpenFirst}>
      <summary>
        {title}: {total.toLocaleString("en")}
      </summary>
      <ul className="evaluations-changes">
        {changes.map(({ itemKey, from, to }) => (
          <li key={itemKey} className="in-line">
            <code>{itemKey}</code>
            {from !== null && <span className="soft">{toWords(from)} →</span>}
            {to === null ? <span className="soft">removed</span> : <StatusChip status={to} />}
          </li>
        ))}
      </ul>
      {changes.length < total && <p className="small soft">Showing the first {changes.length}.</p>}
    </details>
  );
}
