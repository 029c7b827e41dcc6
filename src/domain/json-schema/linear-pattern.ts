import { RE2JS } from "re2js";
import { LIMITS } from "../kernel/limits.ts";

/** The most instructions of a pattern's program, which bounds the cost per character. */
const MAX_PROGRAM = 1000;

/** A schema's `pattern`, which takes linear time. */
export type LinearPattern = { test: (text: string) => boolean; toString: () => string };

/**
 * Compiles a schema's pattern.
 *
 * @throws {Error} if {@link patternProblem} finds a problem.
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function compilePattern(pattern: string): LinearPattern {
  if (pattern.length > LIMITS.schemaPatternLength) throw new Error("the pattern is too long");
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  if (compiled.programSize() > MAX_PROGRAM) throw new Error("the pattern is too large");
  return {
    test: (text) => compiled.test(text),
    // Ajv uses this to identify patterns.
    toString: () => pattern,
  };
}

/** Returns why a pattern is not allowed, or null. */
export function patternProblem(pattern: string): string | null {
  const max = LIMITS.schemaPatternLength;
  if (pattern.length > max) return `must have at most ${max} characters`;
  try {
    compilePattern(pattern);
    return null;
  } catch {
    return (
      "must be a regular expression in RE2's syntax: without lookaround and backreferences, and with " +
      "small repeat counts"
    );
  }
}
