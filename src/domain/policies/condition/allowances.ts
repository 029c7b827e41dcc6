/** What an evaluation costs at most, in steps of about 0.1 µs. */
export type Price = { fixed: number; perElement: number; perByte: number };

/** Prices of what is more than a step, as measured. */
export const CALL_STEPS = 10;
export const BYTE_STEPS = 0.125;

/** How often an expression may do what costs more than a step, and how it is said. */
export const ALLOWANCES = {
  comprehensions: { most: 4, what: "all, exists and exists_one" },
  textCalls: { most: 8, what: "contains, glob, trim, lowerAscii and upperAscii" },
  sizes: { most: 2, what: "size" },
  repeatedCalls: { most: 16, what: "functions inside all, exists and exists_one" },
  pathComparisons: { most: 4, what: "comparisons of two values of the request" },
  arithmetic: { most: 16, what: "arithmetic operators" },
  zones: { most: 4, what: "time zones" },
} as const;

/** What takes longer for longer texts. */
export const READS_TEXT: ReadonlySet<string> = new Set(["textCalls", "sizes", "pathComparisons"]);
