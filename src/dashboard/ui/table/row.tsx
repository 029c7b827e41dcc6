import type { ReactNode } from "react";
import { Link } from "wouter";

/** A column of a table. */
export type Column<Node> = {
  header: string;
  cell: (node: Node) => ReactNode;
  /** Whether it stands at the right, as numbers and buttons do. */
  isEnd?: boolean;
  /** What the list can be sorted by here, as the table's `sort` names it. */
  sortedBy?: string;
};

/** What a row is drawn from. */
export type RowProps<Node> = {
  node: Node;
  index: number;
  columns: readonly Column<Node>[];
  getHref: ((node: Node) => string) | undefined;
  measure: (row: HTMLTableRowElement | null) => void;
};

/** One row. Its first cell names it. */
export function Row<Node>({ node, index, columns, getHref, measure }: RowProps<Node>) {
  const [first, ...others] = columns;
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      <th scope="row">
        {getHref === undefined ? (
          first?.cell(node)
        ) : (
          <Link className="primary" data-row={index} href={getHref(node)}>
            {first?.cell(node)}
          </Link>
        )}
      </th>
      {others.map(({ header, cell, isEnd = false }) => (
        <td key={header} data-label={header} className={isEnd ? "end" : undefined}>
          {cell(node)}
        </td>
      ))}
    </tr>
  );
}
