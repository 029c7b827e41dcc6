export type Sort = {
  /** The `sortedBy` of a column. */
  by: string;
  isAscending: boolean;
  /** Called with the new value for the URL: `updated` for newest first, `-updated` for oldest first. */
  onChange: (sort: string) => void;
};

export type HeaderCellProps = {
  header: string;
  isEnd?: boolean;
  sortedBy?: string;
  sort: Sort | undefined;
};

/**
 * A column header. If the list can be sorted by it, a button that toggles the order. On narrow screens, where headers
 * are hidden, just the name.
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
