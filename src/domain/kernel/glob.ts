const MAX_LENGTH = 256;
const MAX_STARS = 8;

/** The texts between the stars of a glob: one for a glob without stars. */
export type Glob = readonly [first: string, ...others: string[]];

/**
 * Parses a glob: literal text, in which `*` stands for any text and `\*` for a star.
 *
 * @returns the glob, or why it is invalid.
 */
export function parseGlob(text: string): Glob | string {
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const parts = text.split(/(?<!\\)\*/);
  if (parts.length - 1 > MAX_STARS) return `must have at most ${MAX_STARS} stars`;
  const [first = "", ...others] = parts.map((part) => part.replaceAll("\\*", "*"));
  return [first, ...others];
}

/** Whether a glob stands for the whole text. Takes time linear in the text. */
export function matchGlob(glob: Glob, text: string): boolean {
  const [first] = glob;
  const last = glob.at(-1) ?? "";
  if (glob.length === 1) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  const end = text.length - last.length;
  let from = first.length;
  // Without a list of the parts between: this runs for each policy of a check.
  for (let place = 1; place < glob.length - 1; place++) {
    const part = glob[place] ?? "";
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}
