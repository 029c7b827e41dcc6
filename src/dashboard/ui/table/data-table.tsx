import type { LiveQuery } from "../../data/use-live-query.ts";
import { Busy } from "../busy.tsx";
import { Empty } from "../empty.tsx";
import { ErrorNote } from "../error-note.tsx";
import { type Option, SelectField } from "../form/select-field.tsx";
import type { Connection } from "./connection.ts";
import { HeaderCell, type Sort } from "./header-cell.tsx";
import { Pager } from "./pager.tsx";
import { moveBetweenRows } from "./row-keys.ts";
import { type Column, Row } from "./row.tsx";
import { useVirtualRows } from "./use-virtual-rows.ts";
import { type ReactNode, useRef } from "react";
import { Link } from "wouter";

export type DataTableProps<Node> = {
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
};

/**
 * Shows a page of a list. Renders only visible rows. Arrow keys, Home and End move between the rows' links; Enter
 * follows one.
 */
export function DataTable<Node>(props: DataTableProps<Node>) {
  const { one, many, columns, query, page, getKey, getHref, empty, allAt = null, countsUpTo, sort } = props;
  return (
    <div className="stack-m" aria-busy={query.isLoading}>
      <ErrorNote problem={query.problem} onRetry={query.refresh} />
      <Busy isBusy={query.isLoading} />
      {page?.nodes.length === 0 &&
        (allAt === null ? empty : <NoneFound one={one} many={many} allAt={allAt} />)}
      {page !== null && page.nodes.length > 0 && (
        <Rows
          nodes={page.nodes}
          label={many}
          columns={columns}
          getKey={getKey}
          getHref={getHref}
          sort={sort}
        />
      )}
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

type RowsProps<Node> = {
  nodes: readonly Node[];
  label: string;
  columns: readonly Column<Node>[];
  getKey: (node: Node) => string;
  getHref: ((node: Node) => string | null) | undefined;
  sort: Sort | undefined;
};

function Rows<Node>({ nodes, label, columns, getKey, getHref, sort }: RowsProps<Node>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { rows, above, below, measure, show } = useVirtualRows(nodes.length, body);
  return (
    <>
      {sort !== undefined && <SortChoice columns={columns} sort={sort} />}
      <div className="table-frame">
        <table className="table" aria-label={label} aria-rowcount={nodes.length + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column) => (
                <HeaderCell key={column.header} {...column} sort={sort} />
              ))}
            </tr>
          </thead>
          <tbody ref={body} onKeyDown={(event) => moveBetweenRows(event, nodes.length, show)}>
            <Gap height={above} width={columns.length} />
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
                />
              );
            })}
            <Gap height={below} width={columns.length} />
          </tbody>
        </table>
      </div>
    </>
  );
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
