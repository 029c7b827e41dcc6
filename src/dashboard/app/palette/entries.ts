import { useEffect } from "react";
import { createStore } from "../../data/store.ts";

/** A place to go to, or an action, in the palette. */
export type PaletteEntry = {
  key: string;
  label: string;
  /** The type of entry, such as "View" or "Agent". */
  kind: string;
  /** What tells it from others, such as a task's queue. */
  detail?: string | null;
  /** When it was created, of what there are many. */
  at?: string | null;
  /** The keys that do the same. */
  keys?: string | undefined;
  /** A path, or a function to run. */
  to: string | (() => void);
  /** Whether the path is a page that the server renders. */
  isPage?: boolean;
};

/** Entries added by the components of the current view. */
export const viewEntries = createStore<readonly PaletteEntry[]>([]);

const added = new Set<readonly PaletteEntry[]>();

/** Adds entries to the palette while the component is mounted. `entries` must be constant or memoised. */
export function usePaletteEntries(entries: readonly PaletteEntry[]): void {
  useEffect(() => {
    added.add(entries);
    viewEntries.set([...added].flat());
    return () => {
      added.delete(entries);
      viewEntries.set([...added].flat());
    };
  }, [entries]);
}

/** The entries that contain every typed word, each key once. Those that begin with the text come first. */
export function filterEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter(({ label, kind }) => {
    const text = `${label} ${kind}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const first = found.filter(({ label }) => label.toLowerCase().startsWith(words[0] ?? ""));
  return [...new Map([...first, ...found].map((entry) => [entry.key, entry])).values()];
}
