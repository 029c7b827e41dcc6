import { isUuid } from "../../data/global-id.ts";
import { toSearchText } from "../../data/to-search-text.ts";
import { useStore } from "../../data/store.ts";
import { useSearch } from "../../data/use-search.ts";
import { useSettled } from "../../data/use-settled.ts";
import { VIEWS } from "../views.ts";
import { type PaletteEntry, filterEntries, viewEntries } from "./entries.ts";
import { PaletteId, toIdEntries, toGlobalIds } from "./id-query.ts";
import { PaletteSearch, toSearchEntries } from "./search-query.ts";

/** What the palette offers, and how far it got. */
export type PaletteMatches = {
  entries: readonly PaletteEntry[];
  /** Whether there may be more in a moment. */
  isSearching: boolean;
  /** Why the server could not be asked; null for no reason. */
  problem: string | null;
};

const PLACES: readonly PaletteEntry[] = [
  ...VIEWS.map(({ path, label }) => ({ key: path, label, kind: "View", to: path })),
  { key: "settings", label: "Settings", kind: "Page", to: () => window.location.assign("/settings") },
  { key: "members", label: "Members", kind: "Page", to: () => window.location.assign("/settings/members") },
];

/** What the palette offers for what was typed: views and acts, agents, robots and tasks, or what has an id. */
export function usePaletteMatches(typed: string): PaletteMatches {
  const text = typed.trim();
  const settled = useSettled(text);
  const acts = useStore(viewEntries);
  const search = isUuid(text) ? null : toSearchText(text);
  // What is asked is what is typed, or nothing: a letter more gives up what was asked before.
  const isSettled = settled === text;
  const named = useSearch(PaletteSearch, isSettled && search !== null ? { search } : null);
  const ofId = useSearch(PaletteId, isSettled && isUuid(text) ? toGlobalIds(text.toLowerCase()) : null);
  const fixed = isUuid(text) ? [] : filterEntries([...acts, ...PLACES], text);
  return {
    entries: [
      ...fixed,
      ...(named.data === null ? [] : toSearchEntries(named.data)),
      ...(ofId.data === null ? [] : toIdEntries(ofId.data)),
    ],
    isSearching: !isSettled || named.isLoading || ofId.isLoading,
    problem: (named.problem ?? ofId.problem)?.text ?? null,
  };
}
