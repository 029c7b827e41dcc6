import { navigate } from "wouter/use-browser-location";
import { viewEntries } from "./entries.ts";

let stop: (() => void) | null = null;

/** How long a page may take until it offers the act. */
const PATIENCE_MS = 10_000;

/** Where an act waits while its page is loaded. */
const KEPT = "pending-act";

/** An act, and the page that offers it. */
type PendingAct = { path: string; key: string };

/** The settings are pages of their own, from which the dashboard is loaded. */
function isSettings(): boolean {
  return window.location.pathname.startsWith("/settings");
}

function loadWithAct(act: PendingAct): void {
  sessionStorage.setItem(KEPT, JSON.stringify(act));
  window.location.assign(act.path);
}

/** Runs the act for which the page was loaded, if it was for one. Call it once. */
export function runKeptAct(): void {
  const kept = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  if (kept === null) return;
  // As it was written above.
  const { path, key } = JSON.parse(kept) as PendingAct;
  if (window.location.pathname === path) runWhenOffered(path, key);
}

/**
 * Opens a page, and runs the act with this key as soon as the page offers it. Nothing runs if it doesn't, or if the
 * user goes elsewhere.
 */
export function runWhenOffered(path: string, key: string): void {
  stop?.();
  if (window.location.pathname !== path) {
    if (isSettings()) return loadWithAct({ path, key });
    navigate(path);
  }
  const started = performance.now();
  const unsubscribe = viewEntries.subscribe(run);
  stop = end;
  run();

  function run(): void {
    const isElsewhere = window.location.pathname !== path;
    if (isElsewhere || performance.now() - started > PATIENCE_MS) return end();
    const act = viewEntries.get().find((entry) => entry.key === key)?.to;
    if (typeof act !== "function") return;
    end();
    act();
  }

  function end(): void {
    unsubscribe();
    if (stop === end) stop = null;
  }
}
