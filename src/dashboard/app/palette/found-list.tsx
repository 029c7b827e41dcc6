import type { PaletteEntry } from "./entries.ts";

/** What was found, and which of it is chosen. */
export type FoundListProps = {
  id: string;
  found: readonly PaletteEntry[];
  chosen: number;
  onChoose: (place: number) => void;
  onOpen: (entry: PaletteEntry) => void;
};

/** The list below the palette's input, which keeps the focus and has the keys. */
export function FoundList({ id, found, chosen, onChoose, onOpen }: FoundListProps) {
  return (
    <ul className="found" id={id} role="listbox" aria-label="Found">
      {found.map((entry, place) => (
        <li
          key={`${entry.kind}-${entry.key}`}
          id={`${id}-${place}`}
          role="option"
          aria-selected={place === chosen}
          onClick={() => onOpen(entry)}
          onMouseMove={() => onChoose(place)}
        >
          <span className="found-label">{entry.label}</span>
          <span className="small soft">{entry.kind}</span>
        </li>
      ))}
    </ul>
  );
}
