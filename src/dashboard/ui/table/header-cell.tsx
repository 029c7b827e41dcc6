/** How a list is sorted. */
export type Sort = {
  /** The `sortedBy` of a column. */
  by: string;
  isAscending: boolean;
  /** Told what the address is to keep: `updated` for the newest first, `-updated` for the oldest. */
  onChange: (sort: string) => void;
};

/** What heads a column. */
export type HeaderCellProps = {
  header: string;
  isEnd?: boolean;
  sortedBy?: string;
  sort: Sort | undefined;
};

/**
 * The head of a column: a button where the list can be sorted by it, which turns the order of the list. It is
 * a name alone where heads are not seen.
 */
export function HeaderCell({ header, isEnd = false, sortedBy, sort }: HeaderCellProps) {
  const end = isEnd ? "end" : undefined;
  if (sort === undefined || sortedBy === undefined) {
    return (
      <th scope="col" className={end}>
        {header}
      </th>
    );
  }
  const isSorted = sort.by === sortedBy;
  const order = sort.isAscending ? "ascending" : "descending";
  const turned = isSorted && !sort.isAscending ? `-${sortedBy}` : sortedBy;
  return (
    <th scope="col" className={end} aria-sort={isSorted ? order : undefined}>
      <span className="table-unsorted">{header}</span>
      <button type="button" className="table-sort" onClick={() => sort.onChange(turned)}>
        {header}
        <span aria-hidden="true">{isSorted ? (sort.isAscending ? "↑" : "↓") : "↕"}</span>
      </button>
    </th>
  );
}
