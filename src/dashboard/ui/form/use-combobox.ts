import { type KeyboardEvent, useState } from "react";
import type { Option } from "./select-field.tsx";

/** What a combobox is made of. */
export type ComboboxProps = {
  /** What can be chosen for what is typed, in the order of its list. */
  options: readonly Option[];
  /** What people call what is chosen; "" where nothing is. */
  chosen: string;
  /** Null for closed. */
  typed: string | null;
  onType: (typed: string | null) => void;
  onChange: (value: string) => void;
};

/** How a combobox stands, and what its keys do. */
export type ComboboxState = {
  /** The place of the option that Enter chooses; -1 for none. */
  at: number;
  setAt: (place: number) => void;
  choose: (option: Option | undefined) => void;
  type: (text: string) => void;
  /** Closes it. What was typed is forgotten, but that nothing is left of what was chosen. */
  leave: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

/** Opens, closes and walks the list of a combobox by its keys. @see WAI-ARIA's combobox with a listbox. */
export function useCombobox({ options, chosen, typed, onType, onChange }: ComboboxProps): ComboboxState {
  const [wished, setAt] = useState(-1);
  const at = Math.min(wished, options.length - 1);

  function close(): void {
    onType(null);
    setAt(-1);
  }

  function choose(option: Option | undefined): void {
    if (option !== undefined) onChange(option[0]);
    close();
  }

  function leave(): void {
    if (typed === "" && chosen !== "") onChange("");
    close();
  }

  function step(by: 1 | -1): void {
    if (typed === null) onType(chosen);
    else setAt((Math.max(at, by === 1 ? -1 : 0) + by + options.length) % Math.max(1, options.length));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      ...(typed !== null && { Enter: () => (at < 0 ? leave() : choose(options[at])), Escape: close }),
    };
    const act = acts[event.key];
    if (act === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  return {
    at,
    setAt,
    choose,
    leave,
    onKeyDown,
    type: (text) => {
      onType(text);
      setAt(text === "" ? -1 : 0);
    },
  };
}
