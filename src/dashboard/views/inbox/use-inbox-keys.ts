import type { RefObject } from "react";
import { useLocation } from "wouter";
import { useKeys } from "../../ui/use-keys.ts";
import type { InboxItem } from "./inbox-query.ts";

export type InboxKeys = {
  list: RefObject<HTMLUListElement | null>;
  items: readonly InboxItem[];
  /** The uuid of the question that is open. */
  open: string | null;
  onArchive: (item: InboxItem) => void;
};

/**
 * `j` and `k` move the focus in the list, from the focused item or the open one; `a` goes to the answer of that
 * question, and `e` archives it and moves the focus to the next.
 */
export function useInboxKeys({ list, items, open, onArchive }: InboxKeys): void {
  const [, go] = useLocation();

  function findPlace(): number {
    const { activeElement } = document;
    const row = activeElement instanceof HTMLElement ? activeElement.dataset["row"] : undefined;
    return items.findIndex(({ uuid }) => uuid === (row ?? open));
  }

  function move(by: 1 | -1): void {
    const at = findPlace();
    const to = items[at === -1 ? 0 : Math.min(Math.max(at + by, 0), items.length - 1)];
    if (to !== undefined) focusRow(list.current, to.uuid);
  }

  function answer(): void {
    const item = items[findPlace()] ?? items[0];
    if (item === undefined || item.kind !== "Question") return;
    if (item.uuid !== open) go(item.href);
    // The form has to be rendered first.
    requestAnimationFrame(() => focusAnswer());
  }

  function archive(): void {
    const at = findPlace();
    const item = items[at];
    if (item === undefined) return;
    const next = items[at + 1] ?? items[at - 1];
    onArchive(item);
    if (item.uuid === open) go("/inbox");
    if (next !== undefined) focusRow(list.current, next.uuid);
  }

  useKeys({ j: () => move(1), k: () => move(-1), a: answer, e: archive });
}

/** Moves the focus to an item of the list. */
export function focusRow(list: HTMLUListElement | null, uuid: string): void {
  list?.querySelector<HTMLElement>(`[data-row="${uuid}"]`)?.focus();
}

/** How often the question, which has to be loaded, is looked for. */
const TRIES = 60;

function focusAnswer(tries = TRIES): void {
  const field = document.querySelector<HTMLElement>(".inbox-question textarea");
  if (field !== null) field.focus();
  else if (tries > 0) requestAnimationFrame(() => focusAnswer(tries - 1));
}
