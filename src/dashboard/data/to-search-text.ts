const LONGEST = 100;

/** What the server can search for in what was typed; null where there is no letter and no digit to look for. */
export function toSearchText(typed: string): string | null {
  const text = typed.trim().slice(0, LONGEST);
  return /[\p{L}\p{N}]/u.test(text) ? text : null;
}
