import { createStore } from "../data/store.ts";

/** The heading of the view that is shown. */
export const pageTitle = createStore<string | null>(null);

/** How much waits for the user. */
export const waitingCount = createStore(0);

/** Keeps the window's title: the heading, after how much waits. Call it once. */
export function keepWindowTitle(): void {
  pageTitle.subscribe(show);
  waitingCount.subscribe(show);
}

function show(): void {
  const count = waitingCount.get();
  const title = pageTitle.get();
  document.title = `${count === 0 ? "" : `(${count}) `}${title === null ? "" : `${title} · `}Agent Ops`;
}
