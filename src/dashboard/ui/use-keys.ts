import { useEffect, useEffectEvent } from "react";

const TYPED_IN = "input, textarea, select, [contenteditable]";

/** Handles single keys anywhere on the page, but not while the user types or a dialog is open. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const act = keys[event.key];
    if (act === undefined || !isFreeKey(event)) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const ends = new AbortController();
    window.addEventListener("keydown", press, { signal: ends.signal });
    return () => ends.abort();
  }, []);
}

/** Whether a key is pressed alone, by a user who isn't typing and has no dialog or menu open. */
export function isFreeKey(event: KeyboardEvent): boolean {
  const isOther = event.repeat || event.altKey || event.ctrlKey || event.metaKey;
  if (isOther || event.defaultPrevented) return false;
  const isTyping = event.target instanceof Element && event.target.closest(TYPED_IN) !== null;
  return !isTyping && document.querySelector("dialog[open], :popover-open") === null;
}
