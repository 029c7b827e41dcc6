import { useState } from "react";
import { useClient } from "urql";
import type { UserProblem } from "../../../data/problem.ts";
import { ErrorNote } from "../../error-note.tsx";
import { formatCount } from "../../words.ts";
import { type ListSource, fetchRows } from "../tools/fetch-rows.ts";

/** The most rows that are acted on together. */
export const MAX_SELECTED = 1000;

export type SelectMatchingProps<Node, Data> = {
  one: string;
  many: string;
  /** How many rows match. Null if they are too many to count. */
  total: number | null;
  source: ListSource<Data, Node>;
  onSelect: (rows: readonly Node[]) => void;
};

/** Selects what matches the filters, on whatever page. */
export function SelectMatching<Node, Data>({
  one,
  many,
  total,
  source,
  onSelect,
}: SelectMatchingProps<Node, Data>) {
  const client = useClient();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<UserProblem | null>(null);

  async function select(): Promise<void> {
    setIsBusy(true);
    const read = await fetchRows(client, source, MAX_SELECTED);
    setIsBusy(false);
    setProblem("problem" in read ? read.problem : null);
    if ("rows" in read) onSelect(read.rows);
  }

  return (
    <>
      <button
        type="button"
        className="button button-small"
        aria-disabled={isBusy}
        onClick={() => (isBusy ? undefined : void select())}
      >
        {total === null || total > MAX_SELECTED
          ? `Select the first ${formatCount(MAX_SELECTED, one, many)}`
          : `Select all ${formatCount(total, one, many)}`}
      </button>
      <ErrorNote problem={problem} />
    </>
  );
}
