/** What two texts begin and end with alike, and what differs between. */
export type MarkedDifference = { start: string; before: string; after: string; end: string };

/** Finds the part in which two texts differ. */
export function markDifference(before: string, after: string): MarkedDifference {
  const [old, now] = [Array.from(before), Array.from(after)];
  const shorter = Math.min(old.length, now.length);
  let first = 0;
  while (first < shorter && old[first] === now[first]) first++;
  let last = 0;
  while (last < shorter - first && old.at(-1 - last) === now.at(-1 - last)) last++;
  return {
    start: old.slice(0, first).join(""),
    before: old.slice(first, old.length - last).join(""),
    after: now.slice(first, now.length - last).join(""),
    end: old.slice(old.length - last).join(""),
  };
}
