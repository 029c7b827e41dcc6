const LONGEST = 100;

/** The search text for typed input, or null if it has no letter or digit. */
export function toSearchText(typed: string): string | null {
  const text = typed.trim().slice(0, LONGEST);
  return /[\p{L}\p{N}]/u.test(text) ? text : null;
}
