import { type FocusPlace, currentPlace, focusAt } from "./focus-place.ts";

/**
 * Keeps the keyboard's place: where what has the focus goes away, such as a question that was answered or a button
 * whose act is done, what comes next has it. To be called once.
 */
export function keepFocus(): void {
  let place: FocusPlace | null = null;
  document.addEventListener("focusin", () => {
    place = currentPlace();
  });
  // Who leaves for nowhere, such as by a click beside everything, is not called back. What goes away is left too.
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
