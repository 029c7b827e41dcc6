/** Where the keyboard is: an element, and its way up, so that what comes next is found when it is gone. */
export type FocusPlace = { element: HTMLElement; way: readonly { parent: Element; index: number }[] };

const FOCUSABLE =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex='0']";

/** The place of what has the focus; null where nothing has. */
export function currentPlace(): FocusPlace | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const way: { parent: Element; index: number }[] = [];
  for (let child: Element = element; child.parentElement !== null; child = child.parentElement) {
    way.push({ parent: child.parentElement, index: [...child.parentElement.children].indexOf(child) });
  }
  return { element, way };
}

/** Gives the focus back to a place: to what was there, else to what stands there now or comes next, else to the heading. */
export function focusAt({ element, way }: FocusPlace): void {
  const next = element.isConnected && element.matches(FOCUSABLE) ? element : findNext(way);
  (next ?? document.querySelector<HTMLElement>("main h1"))?.focus();
}

function findNext(way: FocusPlace["way"]): HTMLElement | null {
  const from = way.findIndex(({ parent }) => parent.isConnected);
  if (from === -1) return null;
  for (const [above, { parent, index }] of way.slice(from).entries()) {
    if (parent.closest("main, dialog") === null) return null;
    // What has gone made room for what stands at its index; higher up, what was passed still stands there.
    const rest = [...parent.children].slice(above === 0 ? index : index + 1);
    for (const sibling of rest) {
      const found = findFirst(sibling);
      if (found !== null) return found;
    }
  }
  return null;
}

function findFirst(element: Element): HTMLElement | null {
  const all = [element, ...element.querySelectorAll(FOCUSABLE)];
  const found = all.find((one) => one.matches(FOCUSABLE) && one.checkVisibility());
  return found instanceof HTMLElement ? found : null;
}
