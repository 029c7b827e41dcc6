import { useState } from "react";
import type { ApprovalItem } from "../approval-fields.ts";

export type KeptItems = {
  items: readonly ApprovalItem[];
  /** How many no longer wait. */
  decided: number;
  /** Removes those that no longer wait. */
  clear: () => void;
};

/**
 * Keeps the items in their places while the user looks at them: new ones are added at the end, and those that no
 * longer wait stay, with their new status.
 *
 * @param waiting in the order in which they are shown, null before the first answer.
 * @param newest where statuses are looked up.
 */
export function useKeptItems(
  waiting: readonly ApprovalItem[] | null,
  newest: readonly ApprovalItem[],
): KeptItems {
  const [seen, setSeen] = useState<readonly ApprovalItem[]>([]);
  const known = new Set(seen.map(({ uuid }) => uuid));
  const added = (waiting ?? []).filter(({ uuid }) => !known.has(uuid));
  if (added.length > 0) setSeen([...seen, ...added]);
  const current = new Map([...newest, ...(waiting ?? [])].map((item) => [item.uuid, item]));
  const items = [...seen, ...added].map((item) => current.get(item.uuid) ?? item);
  const isWaiting = new Set(waiting?.map(({ uuid }) => uuid));
  return {
    items,
    decided: waiting === null ? 0 : items.filter(({ uuid }) => !isWaiting.has(uuid)).length,
    clear: () => setSeen((all) => all.filter(({ uuid }) => isWaiting.has(uuid))),
  };
}
