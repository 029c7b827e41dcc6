import { findUuid } from "../../data/global-id.ts";
import { toSearchText } from "../../data/to-search-text.ts";
import { useStore } from "../../data/store.ts";
import { useSearch } from "../../data/use-search.ts";
import { useSettled } from "../../data/use-settled.ts";
import { VIEWS } from "../views.ts";
import { type PaletteEntry, filterEntries, viewEntries } from "./entries.ts";
import { PaletteId, toIdEntries, toGlobalIds } from "./id-query.ts";
import { PaletteSearch, toSearchEntries } from "./search-query.ts";

export type PaletteMatches = {
  entries: readonly PaletteEntry[];
  /** Whether more results may arrive. */
  isSearching: boolean;
  /** Why the search failed, or null. */
  problem: string | null;
};

const PLACES: readonly PaletteEntry[] = [
  ...VIEWS.map(({ path, label }) => ({ key: path, label, kind: "View", to: path })),
  { key: "settings", label: "Settings", kind: "Page", to: () => window.location.assign("/settings") },
  { key: "members", label: "Members", kind: "Page", to: () => window.location.assign("/settings/members") },
];

/** The palette's entries for the typed text: views, actions, agents, robots and tasks, or whatever has this id. */
export function usePaletteMatches(typed: string): PaletteMatches {
  const text = typed.trim();
  const settled = useSettled(text);
  const acts = useStore(viewEntries);
  const uuid = findUuid(text);
  const search = uuid === null ? toSearchText(text) : null;
  // Searches only for the settled text: another keystroke discards the previous search.
  const isSettled = settled === text;
  const named = useSearch(PaletteSearch, isSettled && search !== null ? { search } : null);
  const ofId = useSearch(PaletteId, isSettled && uuid !== null ? toGlobalIds(uuid) : null);
  const fixed = uuid === null ? filterEntries([...acts, ...PLACES], text) : [];
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
