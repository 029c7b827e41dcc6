import { useEffect } from "react";
import { createStore } from "../../data/store.ts";

/** Something to go to or to do from the palette. */
export type PaletteEntry = {
  key: string;
  label: string;
  /** What it is, such as "View" or "Agent". */
  kind: string;
  /** A path of the dashboard, or what to do. */
  to: string | (() => void);
};

/** What the view on the screen adds. */
export const viewEntries = createStore<readonly PaletteEntry[]>([]);

/** Adds a view's own acts to the palette while it is on the screen. `entries` should be made once or memoised. */
export function usePaletteEntries(entries: readonly PaletteEntry[]): void {
  useEffect(() => {
    viewEntries.set(entries);
    return () => viewEntries.set([]);
  }, [entries]);
}

/** The entries that have every word of what was typed, those that begin with it first. */
export function filterEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter(({ label, kind }) => {
    const text = `${label} ${kind}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const first = found.filter(({ label }) => label.toLowerCase().startsWith(words[0] ?? ""));
  return [...new Set([...first, ...found])];
}
