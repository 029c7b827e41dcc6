import { type FocusEvent, useState } from "react";

/** Longer than a click takes: an error that appears moves the button that is being pressed. */
const PRESS_MS = 300;

/** The names of the fields that the user has left, some time ago. */
export function useLeftFields() {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());

  function leave({ target }: FocusEvent): void {
    const name = target.getAttribute("name");
    if (name) setTimeout(() => setLeft((names) => new Set(names).add(name)), PRESS_MS);
  }

  return { left, leave };
}
