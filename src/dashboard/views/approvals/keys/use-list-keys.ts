import type { RefObject } from "react";
import { useLocation } from "wouter";
import { useKeys } from "../../../ui/use-keys.ts";
import type { ApprovalItem } from "../approval-fields.ts";

export type ListKeys = {
  list: RefObject<HTMLUListElement | null>;
  items: readonly ApprovalItem[];
  /** The id of the open one. */
  open: string | null;
  /** The next that waits; null for none. */
  next: ApprovalItem | null;
};

/**
 * `j` and `k` move the focus in the list, from the focused item or the open one; `.` opens the next that waits, and
 * moves it there.
 */
export function useListKeys({ list, items, open, next }: ListKeys): void {
  const [, go] = useLocation();

  function focus(place: number): void {
    list.current?.querySelector<HTMLElement>(`[data-row="${place}"]`)?.focus();
  }

  function move(by: 1 | -1): void {
    const { activeElement } = document;
    const row = activeElement instanceof HTMLElement ? activeElement.dataset["row"] : undefined;
    const at = row === undefined ? items.findIndex(({ uuid }) => uuid === open) : Number(row);
    const to = at === -1 ? 0 : Math.min(Math.max(at + by, 0), items.length - 1);
    focus(to);
  }

  function openNext(): void {
    if (next === null) return;
    focus(items.indexOf(next));
    go(`/approvals/${next.uuid}`);
  }

  useKeys({ j: () => move(1), k: () => move(-1), ".": openNext });
}
