import { findStringEnd } from "../../http/parse-json.ts";

const [QUOTE, COMMA] = [0x22, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A message of JSON-RPC, and what is right inside it: its result, error or params. */
const DEEPEST = 2;

/**
 * Whether a message has a member twice where the protocol's own members are: readers differ in which one they take.
 * Names that differ in case alone are the same to some. The text is JSON.
 */
export function hasRepeatedName(text: string): boolean {
  /** The names of each open object; null for a list. */
  const open: (Set<string> | null)[] = [];
  let depth = 0;
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      const end = findStringEnd(text, at);
      if (isName && !addName(open[depth - 1] ?? null, text.slice(at, end + 1))) return true;
      isName = false;
      at = end;
    } else if (character === OBJECT || character === LIST) {
      if (depth < DEEPEST) open[depth] = character === OBJECT ? new Set() : null;
      depth++;
      isName = character === OBJECT && depth <= DEEPEST;
    } else if (character === OBJECT_END || character === LIST_END) {
      depth--;
      isName = false;
    } else if (character === COMMA) {
      isName = depth <= DEEPEST && (open[depth - 1] ?? null) !== null;
    }
  }
  return false;
}

/** @returns false if the name is there already. */
function addName(names: Set<string> | null, json: string): boolean {
  // A string of JSON.
  const name = foldCase(JSON.parse(json) as string);
  if (names?.has(name) === true) return false;
  names?.add(name);
  return true;
}

/** Returns what is the same for names that differ in case alone, also by letters such as the long s. */
export function foldCase(name: string): string {
  return name.toUpperCase().toLowerCase();
}
