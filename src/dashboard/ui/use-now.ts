import { useSyncExternalStore } from "react";

/** One clock for the whole page, so that all relative times change together. */
const watching = new Set<() => void>();
let now = Date.now();
let timer: number | undefined;

/** The time in milliseconds since 1970, updated every second. */
export function useNow(): number {
  return useSyncExternalStore(watch, () => now);
}

function watch(look: () => void): () => void {
  if (watching.size === 0) {
    now = Date.now();
    timer = window.setInterval(tick, 1000);
  }
  watching.add(look);
  return () => {
    watching.delete(look);
    if (watching.size === 0) clearInterval(timer);
  };
}

function tick(): void {
  now = Date.now();
  for (const look of watching) look();
}
