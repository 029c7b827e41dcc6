import { useEffect } from "react";
import type { Option } from "./select-field.tsx";

/** What can be chosen, and which of it the keys are at. */
export type ComboboxListProps = {
  id: string;
  label: string;
  options: readonly Option[];
  at: number;
  /** Said where nothing, or not all of it, is there. */
  note: string | null;
  onPoint: (place: number) => void;
  onChoose: (option: Option) => void;
};

/** The list below a combobox's input, which keeps the focus and has the keys. */
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
