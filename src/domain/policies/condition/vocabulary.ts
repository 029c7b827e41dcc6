/** The functions and operators of conditions, by kind. */

/** Comprehensions are `all`, `exists` and `exists_one`. */
export const COMPREHENSIONS: ReadonlySet<string> = new Set(["all", "exists", "exists_one"]);
export const TEXT_TESTS: ReadonlySet<string> = new Set(["startsWith", "endsWith", "contains", "glob"]);
export const TIME_PARTS: ReadonlySet<string> = new Set([
  "getHours",
  "getMinutes",
  "getDayOfWeek",
  "getDate",
  "getMonth",
]);
export const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);
export const ARITHMETIC: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%"]);
export const LOGIC: ReadonlySet<string> = new Set(["&&", "||", "?:"]);
export const TEXT_CHANGES: ReadonlySet<string> = new Set(["lowerAscii", "upperAscii", "trim"]);
export const CONVERSIONS: ReadonlySet<string> = new Set(["int", "double", "string"]);
