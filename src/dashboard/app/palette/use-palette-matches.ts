import { useState } from "react";
import { toSearchText } from "../../data/to-search-text.ts";
import { useStore } from "../../data/store.ts";
import { useSearch } from "../../data/use-search.ts";
import { useSettled } from "../../data/use-settled.ts";
import { type ViewerRole, useRoleCheck } from "../../data/viewer.tsx";
import { toActEntries } from "./acts.ts";
import { type PaletteEntry, filterEntries, viewEntries } from "./entries.ts";
import { type TypedNarrowly, parseTyped } from "./parse-typed.ts";
import { listPlaces } from "./places.ts";
import { type PaletteFound, PaletteSearch } from "./search-query.ts";
import { toHitEntries } from "./to-hit-entries.ts";

export type PaletteMatches = {
  entries: readonly PaletteEntry[];
  /** Whether more results may arrive. */
  isSearching: boolean;
  /** Why the search failed, or null. */
  problem: string | null;
};

/** The palette's entries for the typed text: places, acts, and what the server finds by name, kind or id. */
export function usePaletteMatches(typed: string): PaletteMatches {
  const text = typed.trim();
  const settled = useSettled(text);
  const acts = useStore(viewEntries);
  const isAtLeast = useRoleCheck();
  const search = toSearchText(text);
  const narrow = parseTyped(text);
  // Searches only for the settled text: another keystroke discards the previous search.
  const isSettled = settled === text;
  const found = useSearch(PaletteSearch, isSettled && search !== null ? toVariables(search, narrow) : null);
  // What was found before stays until the next arrives, as far as it has the typed words.
  const [last, setLast] = useState<PaletteFound | null>(null);
  if (found.data !== null && found.data !== last) setLast(found.data);
  const shown = search === null ? null : (found.data ?? last);
  const hits = shown === null ? [] : toFoundEntries(shown, found.data === null ? null : narrow, isAtLeast);
  return {
    entries: [
      ...filterEntries([...acts, ...listPlaces(isAtLeast)], text),
      ...(found.data === null ? filterEntries(hits, text) : hits),
    ],
    isSearching: !isSettled || found.isLoading,
    problem: found.problem?.text ?? null,
  };
}

function toVariables(text: string, narrow: TypedNarrowly | null) {
  const rest = narrow === null ? null : toSearchText(narrow.rest);
  if (narrow === null || rest === null) return { text, rest: text, kinds: null, isNarrow: false };
  return { text, rest, kinds: narrow.kinds, isNarrow: true };
}

function toFoundEntries(
  { search, narrowed }: PaletteFound,
  narrow: TypedNarrowly | null,
  isAtLeast: (role: ViewerRole) => boolean,
): PaletteEntry[] {
  const hits = toHitEntries([...(narrowed ?? []), ...search], isAtLeast("ADMIN"));
  if (typeof narrow?.act !== "string" || !isAtLeast("OPERATOR")) return hits;
  return [...toActEntries(narrow.act, narrowed ?? []), ...hits];
}
