import { type KeyboardEvent, useState } from "react";
import type { Option } from "./select-field.tsx";

export type ComboboxProps = {
  /** Options for the typed text, in display order. */
  options: readonly Option[];
  /** The label of the chosen option, or "". */
  chosen: string;
  /** Null while the list is closed. */
  typed: string | null;
  onType: (typed: string | null) => void;
  onChange: (value: string) => void;
};

/** The state of a combobox and its key handlers. */
export type ComboboxState = {
  /** Index of the option that Enter chooses, or -1. */
  at: number;
  setAt: (place: number) => void;
  choose: (option: Option | undefined) => void;
  type: (text: string) => void;
  /** Closes the list and discards the typed text. If it is empty, the choice is cleared. */
  leave: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

/** Keyboard handling of a combobox. @see WAI-ARIA's combobox with a listbox. */
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
