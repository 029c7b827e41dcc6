import type { KeyboardEvent } from "react";

/** Moves the focus between the links of rows. `show` scrolls to a row. */
export function moveBetweenRows(
  event: KeyboardEvent<HTMLElement>,
  count: number,
  show: (index: number) => void,
): void {
  const { target, currentTarget: body } = event;
  const at = target instanceof HTMLElement ? target.dataset["row"] : undefined;
  if (at === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const to = findTarget(event.key, Number(at), count);
  if (to === null) return;
  event.preventDefault();
  show(to);
  // The row has to be rendered first.
  requestAnimationFrame(() => body.querySelector<HTMLElement>(`[data-row="${to}"]`)?.focus());
}

function findTarget(key: string, at: number, count: number): number | null {
  switch (key) {
    case "ArrowDown":
    case "j":
      return Math.min(at + 1, count - 1);
    case "ArrowUp":
    case "k":
      return Math.max(at - 1, 0);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
