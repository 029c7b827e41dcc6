import { useEffect } from "react";
import { createStore } from "../../data/store.ts";

/** A place to go to, or an action, in the palette. */
export type PaletteEntry = {
  key: string;
  label: string;
  /** The type of entry, such as "View" or "Agent". */
  kind: string;
  /** A path of the dashboard, or a function to run. */
  to: string | (() => void);
};

/** Entries added by the current view. */
export const viewEntries = createStore<readonly PaletteEntry[]>([]);

/** Adds entries to the palette while the component is mounted. `entries` must be constant or memoised. */
export function usePaletteEntries(entries: readonly PaletteEntry[]): void {
  useEffect(() => {
    viewEntries.set(entries);
    return () => viewEntries.set([]);
  }, [entries]);
}

/** The entries that contain every typed word. Those that begin with the text come first. */
export function filterEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter(({ label, kind }) => {
    const text = `${label} ${kind}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const first = found.filter(({ label }) => label.toLowerCase().startsWith(words[0] ?? ""));
  return [...new Set([...first, ...found])];
}
