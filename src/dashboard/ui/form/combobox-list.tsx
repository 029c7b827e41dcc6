import { useEffect } from "react";
import type { Option } from "./select-field.tsx";

export type ComboboxListProps = {
  id: string;
  label: string;
  options: readonly Option[];
  at: number;
  /** Shown if there are no options, or not all of them. */
  note: string | null;
  onPoint: (place: number) => void;
  onChoose: (option: Option) => void;
};

/** The options. The input above keeps the focus and handles the keys. */
export function ComboboxList({ id, label, options, at, note, onPoint, onChoose }: ComboboxListProps) {
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [id, at]);
  return (
    <div className="combobox-list" onMouseDown={(event) => event.preventDefault()}>
      <ul className="found" id={id} role="listbox" aria-label={label} hidden={options.length === 0}>
        {options.map((option, place) => (
          <li
            key={option[0]}
            id={`${id}-${place}`}
            role="option"
            aria-selected={place === at}
            onClick={() => onChoose(option)}
            onMouseMove={() => onPoint(place)}
          >
            <span className="found-label">{option[1]}</span>
          </li>
        ))}
      </ul>
      <p className="small soft" role="status" hidden={note === null}>
        {note}
      </p>
    </div>
  );
}
