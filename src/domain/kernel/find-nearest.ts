/** Longer names are not compared, to limit the cost. */
const LONGEST = 48;
const MOST_EDITS = 2;

/**
 * Finds the known name nearest to a mistyped one, ignoring case and word separators. Returns null if none
 * is within two edits and fewer than half of its letters.
 */
export function findNearest(given: string, known: readonly string[]): string | null {
  if (given.length > LONGEST) return null;
  const bare = normalizeName(given);
  const compared = known
    .map((name) => ({ name, bare: normalizeName(name) }))
    .filter((one) => Math.abs(one.bare.length - bare.length) <= MOST_EDITS)
    .map((one) => ({ name: one.name, edits: countEdits(bare, one.bare), length: one.bare.length }))
    .filter(({ edits, length }) => edits <= MOST_EDITS && edits * 2 < length)
    .toSorted((one, other) => one.edits - other.edits);
  return compared[0]?.name ?? null;
}

function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

/** Counts the letters to insert, delete or replace. @see Levenshtein, 1966. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of Array.from(from).entries()) {
    const above = row;
    row = [at + 1];
    for (let column = 1; column <= to.length; column++) {
      const [put, taken, changed] = [row[column - 1] ?? 0, above[column] ?? 0, above[column - 1] ?? 0];
      row.push(Math.min(put + 1, taken + 1, changed + (letter === to[column - 1] ? 0 : 1)));
    }
  }
  return row.at(-1) ?? 0;
}
