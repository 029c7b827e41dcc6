import type { LiveQuery } from "../../data/use-live-query.ts";
import { Busy } from "../busy.tsx";
import { Empty } from "../empty.tsx";
import { ErrorNote } from "../error-note.tsx";
import { type Option, SelectField } from "../form/select-field.tsx";
import type { Bulk, ListBulk } from "./bulk/bulk-act.ts";
import { BulkBar } from "./bulk/bulk-bar.tsx";
import { type Selection, useSelection } from "./bulk/use-selection.ts";
import type { Connection } from "./connection.ts";
import { HeaderCell, type Sort } from "./header-cell.tsx";
import { Pager } from "./pager.tsx";
import { moveBetweenRows } from "./row-keys.ts";
import { type Column, Row } from "./row.tsx";
import { ColumnMenu } from "./tools/column-menu.tsx";
import { ExportMenu } from "./tools/export-menu.tsx";
import type { ListSource } from "./tools/fetch-rows.ts";
import { useHiddenColumns } from "./tools/use-hidden-columns.ts";
import { useVirtualRows } from "./use-virtual-rows.ts";
import { type ReactNode, useRef } from "react";
import { Link } from "wouter";

export type DataTableProps<Node, Data = unknown> = {
  /** What is listed, singular and plural: "task", "tasks". */
  one: string;
  many: string;
  /** The first column names the row, and links to where `getHref` says. */
  columns: readonly Column<Node>[];
  /** The result of `useLiveQuery`. Its data is the connection. */
  query: Omit<LiveQuery<unknown>, "data">;
  page: Connection<Node> | null;
  getKey: (node: Node) => string;
  getHref?: (node: Node) => string | null;
  /** Shown if there are no rows: what to do next. */
  empty: ReactNode;
  /** The path of the unfiltered list if filters are set, else null. */
  allAt?: string | null;
  countsUpTo?: number | undefined;
  /** The current order, if columns are sortable. */
  sort?: Sort;
  /** How to read the whole list, if it can be exported and its columns chosen. */
  source?: ListSource<Data>;
  /** What can be done with several rows. */
  bulk?: ListBulk<Node, Data> | undefined;
};

/**
 * Shows a page of a list. Renders only visible rows. Arrow keys, Home and End move between the rows' links; Enter
 * follows one.
 */
export function DataTable<Node, Data = unknown>(props: DataTableProps<Node, Data>) {
  const { one, many, columns, query, page, empty, allAt = null, countsUpTo, sort, source } = props;
  const [hidden, setHidden] = useHiddenColumns();
  const [first, ...others] = columns;
  const shown = [first, ...others.filter(({ header }) => !hidden.has(header))].filter(
    (each) => each !== undefined,
  );
  const hasRows = page !== null && page.nodes.length > 0;
  return (
    <div className="stack-m" aria-busy={query.isLoading}>
      <ErrorNote problem={query.problem} onRetry={query.refresh} />
      <Busy isBusy={query.isLoading} lines={page === null ? 8 : 0} />
      {page?.nodes.length === 0 &&
        (allAt === null ? empty : <NoneFound one={one} many={many} allAt={allAt} />)}
      {hasRows && source !== undefined && (
        <div className="table-tools">
          <ColumnMenu columns={columns} hidden={hidden} onChange={setHidden} />
          <ExportMenu one={one} many={many} source={source} />
        </div>
      )}
      {hasRows && <Rows {...props} columns={shown} page={page} />}
      {page !== null && (
        <Pager
          page={page}
          one={one}
          many={many}
          countsUpTo={countsUpTo}
          isOldestFirst={sort?.isAscending ?? false}
        />
      )}
    </div>
  );
}

function NoneFound({ one, many, allAt }: { one: string; many: string; allAt: string }) {
  return (
    <Empty title={`No ${one} matches these filters`}>
      <Link href={allAt}>Show all {many}</Link>
    </Empty>
  );
}

type RowsProps<Node, Data> = Pick<
  DataTableProps<Node, Data>,
  "one" | "many" | "columns" | "getKey" | "getHref" | "sort" | "bulk"
> & { page: Connection<Node> };

function Rows<Node, Data>(props: RowsProps<Node, Data>) {
  const { page, one, many, columns, getKey, getHref, sort, bulk } = props;
  const { nodes } = page;
  const body = useRef<HTMLTableSectionElement>(null);
  const { rows, above, below, measure, show } = useVirtualRows(nodes.length, body);
  const selection = useSelection(nodes, getKey);
  const width = columns.length + (bulk === undefined ? 0 : 1);
  return (
    <>
      {bulk !== undefined && <BulkBar {...{ one, many, bulk, selection, page }} />}
      {sort !== undefined && <SortChoice columns={columns} sort={sort} />}
      <div className="table-frame">
        <table className="table" aria-label={many} aria-rowcount={nodes.length + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {bulk !== undefined && <SelectAll many={many} selection={selection} />}
              {columns.map((column) => (
                <HeaderCell key={column.header} {...column} sort={sort} />
              ))}
            </tr>
          </thead>
          <tbody ref={body} onKeyDown={(event) => moveBetweenRows(event, nodes.length, show)}>
            <Gap height={above} width={width} />
            {rows.map((index) => {
              const node = nodes[index];
              if (node === undefined) return null;
              return (
                <Row
                  key={getKey(node)}
                  node={node}
                  index={index}
                  columns={columns}
                  getHref={getHref}
                  measure={measure}
                  select={bulk === undefined ? null : toSelect(node, bulk, selection)}
                />
              );
            })}
            <Gap height={below} width={width} />
          </tbody>
        </table>
      </div>
    </>
  );
}

function SelectAll<Node>({ many, selection }: { many: string; selection: Selection<Node> }) {
  return (
    <th scope="col" className="select">
      <input
        type="checkbox"
        aria-label={`Select all ${many} of this page`}
        checked={selection.isAll}
        onChange={selection.toggleAll}
      />
    </th>
  );
}

function toSelect<Node>(node: Node, { getName }: Bulk<Node>, { isSelected, toggle }: Selection<Node>) {
  return {
    isSelected: isSelected(node),
    label: `Select ${getName(node)}`,
    onToggle: () => toggle(node),
  };
}

/** Takes the place of rows that are not rendered. */
function Gap({ height, width }: { height: number; width: number }) {
  if (height <= 0) return null;
  return (
    <tr className="gap" aria-hidden="true">
      <td colSpan={width} style={{ height }} />
    </tr>
  );
}

/** Sorting for narrow screens, where the column headers are hidden. */
function SortChoice({ columns, sort }: { columns: readonly Column<never>[]; sort: Sort }) {
  const options = columns.flatMap(({ header, sortedBy }): Option[] =>
    sortedBy === undefined
      ? []
      : [
          [sortedBy, `${header}, newest first`],
          [`-${sortedBy}`, `${header}, oldest first`],
        ],
  );
  return (
    <div className="table-sort-choice">
      <SelectField
        label="Sort by"
        name="sort"
        options={options}
        value={sort.isAscending ? `-${sort.by}` : sort.by}
        onChange={sort.onChange}
      />
    </div>
  );
}
