import { type Option, SelectField } from "../form/select-field.tsx";
import type { Sort } from "./header-cell.tsx";
import type { Column } from "./row.tsx";

/** Sorts a list where there is no room for its columns' heads, which do so elsewhere. */
export function SortChoice({ columns, sort }: { columns: readonly Column<never>[]; sort: Sort }) {
  const options = columns.flatMap(({ header, sortedBy }): Option[] =>
    sortedBy === undefined
      ? []
      : [
          [sortedBy, `${header}, the newest first`],
          [`-${sortedBy}`, `${header}, the oldest first`],
        ],
  );
  return (
    <div className="table-sort-choice">
      <SelectField
        label="Sorted by"
        name="sort"
        options={options}
        value={sort.isAscending ? `-${sort.by}` : sort.by}
        onChange={sort.onChange}
      />
    </div>
  );
}
