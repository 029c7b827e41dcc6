import type { ReactNode } from "react";
import { Link } from "wouter";

export type Column<Node> = {
  header: string;
  cell: (node: Node) => ReactNode;
  /** Whether it is right-aligned, as for numbers and buttons. */
  isEnd?: boolean;
  /** The name in the table's `sort`, if sortable. */
  sortedBy?: string;
};

export type RowProps<Node> = {
  node: Node;
  index: number;
  columns: readonly Column<Node>[];
  getHref: ((node: Node) => string | null) | undefined;
  measure: (row: HTMLTableRowElement | null) => void;
  /** If rows can be selected. */
  select?: { isSelected: boolean; label: string; onToggle: () => void } | null;
};

/** A table row. The first column names it. */
export function Row<Node>({ node, index, columns, getHref, measure, select = null }: RowProps<Node>) {
  const [first, ...others] = columns;
  const href = getHref?.(node) ?? null;
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      {select !== null && (
        <td className="select">
          <input
            type="checkbox"
            aria-label={select.label}
            checked={select.isSelected}
            onChange={select.onToggle}
          />
        </td>
      )}
      <th scope="row">
        {href === null ? (
          first?.cell(node)
        ) : (
          <Link className="primary" data-row={index} href={href}>
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
