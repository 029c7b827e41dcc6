import type { ReactNode, Ref } from "react";
import { Link } from "wouter";
import "./list-detail.css";

export type ListDetailProps = {
  list: ReactNode;
  /** The open item, or null. */
  detail: ReactNode;
  /** Shown while no item is open. */
  none: string;
};

/** A list, and next to it the open item. Narrow screens show one of them. */
export function ListDetail({ list, detail, none }: ListDetailProps) {
  return (
    <div className={detail === null ? "list-detail" : "list-detail list-detail-open"}>
      <div className="list-detail-list stack-m">{list}</div>
      {detail ?? <p className="list-detail-none soft">{none}</p>}
    </div>
  );
}

export type ItemListProps = { label: string; ref: Ref<HTMLUListElement>; children: ReactNode };

/** The items of the list. */
export function ItemList({ label, ref, children }: ItemListProps) {
  return (
    <ul className="list-detail-items card" aria-label={label} ref={ref}>
      {children}
    </ul>
  );
}

export type ItemLinkProps = {
  href: string;
  /** Where the keys find it. */
  row: string | number;
  isOpen: boolean;
  title: string;
  children: ReactNode;
};

/** One item of the list. */
export function ItemLink({ href, row, isOpen, title, children }: ItemLinkProps) {
  return (
    <Link className="list-detail-item" href={href} data-row={row} aria-current={isOpen ? "true" : undefined}>
      <span className="list-detail-title">{title}</span>
      {children}
    </Link>
  );
}

/** The way back to the list, on narrow screens. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <p className="crumb list-detail-back">
      <Link href={href}>{children}</Link>
    </p>
  );
}
