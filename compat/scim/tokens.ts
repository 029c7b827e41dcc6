import { FILTER_LIMITS, createFilterError } from "../../src/domain/directory/filter.ts";

/** A token of a filter or path. `spaced` if white space comes before it. */
export type Token = { kind: "(" | ")" | "[" | "]" | "text" | "word"; text: string; spaced: boolean };

const TOKEN = /(\s*)(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y;

/**
 * Splits a filter or path into tokens. Strings are JSON strings with escapes.
 *
 * @throws {DomainError} invalid_filter.
 * @see RFC 7644, 3.4.2.2; RFC 8259, 7.
 */
export function tokenize(text: string): Token[] {
  if (text.length > FILTER_LIMITS.length) {
    throw createFilterError(`A filter can have at most ${FILTER_LIMITS.length} characters.`);
  }
  const trimmed = text.trim();
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < trimmed.length) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(trimmed);
    if (match === null) throw createFilterError(`The filter is invalid at ${trimmed.slice(from, from + 20)}`);
    tokens.push(toToken(match));
  }
  return tokens;
}

function toToken([, space = "", bracket, quoted, word = ""]: RegExpExecArray): Token {
  const spaced = space !== "";
  // The expression matches only these four.
  if (bracket !== undefined) return { kind: bracket as "(" | ")" | "[" | "]", text: bracket, spaced };
  return quoted === undefined
    ? { kind: "word", text: word, spaced }
    : { kind: "text", text: unquote(quoted), spaced };
}

function unquote(quoted: string): string {
  const text = parse(quoted);
  if (typeof text === "string" && !text.includes("\0") && text.isWellFormed()) return text;
  throw createFilterError(`${quoted} is not a valid string.`);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
