/** Why a JSON text is not parsed. */
export type JsonProblem = "too deep" | "too many containers";

type JsonLimits = {
  /** How many lists and objects may be inside each other, the outermost included. */
  maxDepth: number;
  /** How many lists and objects the text may have. Each costs up to a microsecond, all other values less. */
  maxContainers: number;
  /** Creates the error for a text beyond a limit. */
  createError: (why: JsonProblem, limit: number) => Error;
};

/**
 * Parses JSON if it is within the limits. Returns undefined if it is malformed.
 *
 * @throws the error of `createError`.
 */
export function parseJson(text: string, { maxDepth, maxContainers, createError }: JsonLimits): unknown {
  const problem = findProblem(text, maxDepth, maxContainers);
  if (problem !== null) throw createError(problem, problem === "too deep" ? maxDepth : maxContainers);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts brackets and braces outside of strings. They need not match: JSON.parse checks that. */
function findProblem(text: string, maxDepth: number, maxContainers: number): JsonProblem | null {
  let [depth, containers] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      at = findStringEnd(text, at);
    } else if (character === LIST || character === OBJECT) {
      depth++;
      containers++;
      if (depth > maxDepth) return "too deep";
      if (containers > maxContainers) return "too many containers";
    } else if (character === LIST_END || character === OBJECT_END) {
      depth--;
    }
  }
  return null;
}

/** Returns the position of the quote that ends the string which begins at `start`, or the text's end. */
function findStringEnd(text: string, start: number): number {
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
