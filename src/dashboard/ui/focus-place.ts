/** The focused element with its ancestors, to find its successor if it disappears. */
export type FocusPlace = { element: HTMLElement; way: readonly { parent: Element; index: number }[] };

const FOCUSABLE =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex='0']";

/** The focused element, or null. */
export function currentPlace(): FocusPlace | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const way: { parent: Element; index: number }[] = [];
  for (let child: Element = element; child.parentElement !== null; child = child.parentElement) {
    way.push({ parent: child.parentElement, index: [...child.parentElement.children].indexOf(child) });
  }
  return { element, way };
}

/** Restores the focus: to the element, or what is now in its place or next, or the heading. */
export function focusAt({ element, way }: FocusPlace): void {
  const next = element.isConnected && element.matches(FOCUSABLE) ? element : findNext(way);
  // A view's heading is replaced when what it shows has been loaded.
  if (next === null || element.matches("h1")) focusHeading();
  else next.focus();
}

/** Moves the focus to the heading of the view. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>("main h1")?.focus();
}

function findNext(way: FocusPlace["way"]): HTMLElement | null {
  const from = way.findIndex(({ parent }) => parent.isConnected);
  if (from === -1) return null;
  for (const [above, { parent, index }] of way.slice(from).entries()) {
    if (parent.closest("main, dialog") === null) return null;
    // A removed element's successor now has its index; further up, the ancestor itself is still at that
    // index.
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
