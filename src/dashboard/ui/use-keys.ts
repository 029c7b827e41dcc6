import { useEffect, useEffectEvent } from "react";

const TYPED_IN = "input, textarea, select, [contenteditable]";

/** Handles single keys anywhere on the page, but not while the user types or a dialog is open. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const act = keys[event.key];
    const isOther = event.repeat || event.altKey || event.ctrlKey || event.metaKey;
    if (act === undefined || isOther || event.defaultPrevented) return;
    const isTyping = event.target instanceof Element && event.target.closest(TYPED_IN) !== null;
    if (isTyping || document.querySelector("dialog[open], :popover-open") !== null) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const ends = new AbortController();
    window.addEventListener("keydown", press, { signal: ends.signal });
    return () => ends.abort();
  }, []);
}
