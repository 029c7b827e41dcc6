import { useEffect } from "react";
import { TimeAgo } from "../../ui/time-ago.tsx";
import type { PaletteEntry } from "./entries.ts";

export type FoundListProps = {
  id: string;
  found: readonly PaletteEntry[];
  chosen: number;
  onChoose: (place: number) => void;
  onOpen: (entry: PaletteEntry) => void;
};

/** The results. The input above keeps the focus and handles the keys. */
export function FoundList({ id, found, chosen, onChoose, onOpen }: FoundListProps) {
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [id, chosen]);
  return (
    <ul className="found palette-found" id={id} role="listbox" aria-label="Results">
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
          <Beside entry={entry} />
        </li>
      ))}
    </ul>
  );
}

function Beside({ entry: { kind, detail = null, at = null, keys } }: { entry: PaletteEntry }) {
  return (
    <span className="small soft palette-kind">
      {detail !== null && <span className="palette-detail">{detail}</span>}
      {at !== null && <TimeAgo at={at} />}
      {kind}
      {keys !== undefined && <kbd>{keys}</kbd>}
    </span>
  );
}
