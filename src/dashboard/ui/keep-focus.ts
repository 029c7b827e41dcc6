import { type FocusPlace, currentPlace, focusAt } from "./focus-place.ts";

/**
 * Moves the focus to the next element when the focused one disappears, such as an answered question or a finished
 * action's button. Call it once.
 */
export function keepFocus(): void {
  let place: FocusPlace | null = null;
  document.addEventListener("focusin", () => {
    place = currentPlace();
  });
  // A user who clicks on empty space isn't brought back. Removed elements lose the focus too.
  document.addEventListener("focusout", () => {
    setTimeout(() => {
      if (place?.element.isConnected === true && document.activeElement === document.body) place = null;
    });
  });
  new MutationObserver(() => {
    if (place === null || place.element.isConnected || document.activeElement !== document.body) return;
    const gone = place;
    place = null;
    focusAt(gone);
  }).observe(document.body, { childList: true, subtree: true });
}
