import type { RefObject } from "react";
import { useKeys } from "../../../ui/use-keys.ts";
import type { ApprovalItem } from "../approval-fields.ts";

export type ListKeys = {
  list: RefObject<HTMLUListElement | null>;
  items: readonly ApprovalItem[];
  /** The id of the open one. */
  open: string | null;
};

/** `j` and `k` move the focus in the list, from the focused item or the open one. */
export function useListKeys({ list, items, open }: ListKeys): void {
  function move(by: 1 | -1): void {
    const { activeElement } = document;
    const row = activeElement instanceof HTMLElement ? activeElement.dataset["row"] : undefined;
    const at = row === undefined ? items.findIndex(({ uuid }) => uuid === open) : Number(row);
    const to = at === -1 ? 0 : Math.min(Math.max(at + by, 0), items.length - 1);
    list.current?.querySelector<HTMLElement>(`[data-row="${to}"]`)?.focus();
  }

  useKeys({ j: () => move(1), k: () => move(-1) });
}
