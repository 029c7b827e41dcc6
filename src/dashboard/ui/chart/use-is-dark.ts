import { useSyncExternalStore } from "react";

const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** Whether the system asks for dark colours. */
export function useIsDark(): boolean {
  return useSyncExternalStore(watch, () => dark.matches);
}

function watch(look: () => void): () => void {
  dark.addEventListener("change", look);
  return () => dark.removeEventListener("change", look);
}
