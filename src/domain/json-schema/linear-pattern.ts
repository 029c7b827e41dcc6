import { RE2JS } from "re2js";
import { LIMITS } from "../kernel/limits.ts";

/** Steps of one pattern's program: what a character of the text costs at most. */
const MAX_PROGRAM = 1000;

/** A regular expression as a schema's `pattern` has it, which takes time in proportion to the text. */
export type LinearPattern = { test: (text: string) => boolean; toString: () => string };

/**
 * Compiles the pattern of a schema.
 *
 * @throws {Error} for what {@link patternProblem} tells of.
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function compilePattern(pattern: string): LinearPattern {
  if (pattern.length > LIMITS.schemaPatternLength) throw new Error("the pattern is too long");
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  if (compiled.programSize() > MAX_PROGRAM) throw new Error("the pattern is too large");
  return {
    test: (text) => compiled.test(text),
    // Ajv tells patterns apart by it.
    toString: () => pattern,
  };
}

/** Why a schema may not have a pattern, or null. */
export function patternProblem(pattern: string): string | null {
  const max = LIMITS.schemaPatternLength;
  if (pattern.length > max) return `must have at most ${max} characters`;
  try {
    compilePattern(pattern);
    return null;
  } catch {
    return "must be a regular expression that RE2 takes: without lookaround and backreferences, and with small counts";
  }
}
