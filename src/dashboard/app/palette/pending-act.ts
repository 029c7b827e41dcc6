import { navigate } from "wouter/use-browser-location";
import { viewEntries } from "./entries.ts";

let stop: (() => void) | null = null;

/** How long a page may take until it offers the act. */
const PATIENCE_MS = 10_000;

/**
 * Opens a page, and runs the act with this key as soon as the page offers it. Nothing runs if it doesn't, or if the
 * user goes elsewhere.
 */
export function runWhenOffered(path: string, key: string): void {
  stop?.();
  if (window.location.pathname !== path) navigate(path);
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
