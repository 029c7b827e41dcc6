/** Why a JSON text is not parsed. */
export type JsonProblem = "too deep" | "too many containers" | "too many members" | "too many values";

type JsonLimits = {
  /** How many lists and objects may be inside each other, the outermost included. */
  maxDepth: number;
  /** How many lists and objects the text may have. Each costs up to a microsecond, all other values less. */
  maxContainers: number;
  /** How many members all objects may have. One with a name of its own costs as much as a list. */
  maxMembers: number;
  /** How many elements and members the text may have. */
  maxValues: number;
  /** Creates the error for a text beyond a limit. */
  createError: (why: JsonProblem, limit: number) => Error;
};

/**
 * Parses JSON if it is within the limits. Returns undefined if it is malformed.
 *
 * @throws the error of `createError`.
 */
export function parseJson(text: string, limits: JsonLimits): unknown {
  const problem = findProblem(text, limits);
  if (problem !== null) throw limits.createError(...problem);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts brackets, braces, colons and commas outside of strings. They need not match: JSON.parse checks that. */
function findProblem(
  text: string,
  { maxDepth, maxContainers, maxMembers, maxValues }: JsonLimits,
): [JsonProblem, number] | null {
  let [depth, containers, members, values] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      at = findStringEnd(text, at);
    } else if (character === LIST || character === OBJECT) {
      depth++;
      containers++;
      if (depth > maxDepth) return ["too deep", maxDepth];
      if (containers > maxContainers) return ["too many containers", maxContainers];
    } else if (character === LIST_END || character === OBJECT_END) {
      depth--;
    } else if (character === COLON) {
      members++;
      if (members > maxMembers) return ["too many members", maxMembers];
    } else if (character === COMMA) {
      values++;
      if (values >= maxValues) return ["too many values", maxValues];
    }
  }
  return null;
}

/** Returns the position of the quote that ends the string which begins at `start`, or the text's end. */
export function findStringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    if (countBackslashes(text, at) % 2 === 0) return at;
  }
  return text.length;
}

/** Counts the backslashes right before a position. */
function countBackslashes(text: string, end: number): number {
  let start = end;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return end - start;
}
