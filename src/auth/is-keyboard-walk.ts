/** The rows of a keyboard, and the first row with Shift. */
const ROWS = ["`1234567890-=", "qwertyuiop[]\\", "asdfghjkl;'", "zxcvbnm,./", "~!@#$%^&*()_+"];

type Place = { row: number; column: number };

const PLACES: ReadonlyMap<string, Place> = new Map(
  ROWS.flatMap((keys, row) =>
    // The first row is shifted left by one key; Shift does not move it.
    Array.from(
      keys,
      (key, index) => [key, { row: row % 4, column: index - (row % 4 === 0 ? 1 : 0) }] as const,
    ),
  ),
);

/** One step in this many may be a jump, such as from the end of one row to the start of the next. */
const STEPS_PER_LEAP = 4;

/** Whether nearly all steps of a lower-case text repeat a key or go to an adjacent one. */
export function isKeyboardWalk(text: string): boolean {
  const keys = Array.from(text);
  const steps = keys.length - 1;
  const leaps = keys.filter((key, index) => index > 0 && !areNeighbours(keys[index - 1] ?? "", key)).length;
  return steps > 0 && leaps * STEPS_PER_LEAP <= steps;
}

function areNeighbours(one: string, other: string): boolean {
  const [from, to] = [PLACES.get(one), PLACES.get(other)];
  if (from === undefined || to === undefined) return one === other;
  return Math.abs(from.row - to.row) <= 1 && Math.abs(from.column - to.column) <= 1;
}
