import { type KeyboardEvent, useId, useState } from "react";
import { useLocation } from "wouter";
import type { PaletteEntry } from "./entries.ts";
import { FoundList } from "./found-list.tsx";
import { closePalette } from "./palette-state.ts";
import { type PaletteMatches, usePaletteMatches } from "./use-palette-matches.ts";

/** The palette's input and its results. */
export function Finder() {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const [, navigate] = useLocation();
  const { entries: found, ...state } = usePaletteMatches(typed);
  const id = useId();
  const chosen = Math.min(at, found.length - 1);

  function open(entry: PaletteEntry | undefined): void {
    if (entry === undefined) return;
    closePalette();
    if (typeof entry.to !== "string") entry.to();
    else if (entry.isPage === true) window.location.assign(entry.to);
    else navigate(entry.to);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (step === undefined) open(found[chosen]);
    else setAt((chosen + step + found.length) % Math.max(1, found.length));
  }

  return (
    <div className="stack-m palette">
      <input
        className="input"
        type="text"
        role="combobox"
        aria-label="Find anything by name, kind or ID, or do something"
        placeholder="Name, kind or ID, or “pause …”, “cancel …”"
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${chosen}`}
        autoComplete="off"
        autoFocus
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <FoundList id={id} found={found} chosen={chosen} onChoose={setAt} onOpen={open} />
      <FoundState {...state} isEmpty={found.length === 0} />
    </div>
  );
}

function FoundState({
  isSearching,
  problem,
  isEmpty,
}: Omit<PaletteMatches, "entries"> & { isEmpty: boolean }) {
  return (
    <p className="small soft" role="status">
      {problem}
      {problem === null && isSearching && "Searching…"}
      {problem === null && !isSearching && isEmpty && "Nothing found."}
    </p>
  );
}
