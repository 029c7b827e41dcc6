/** What an evaluation costs at most, in steps of about 0.1 µs. */
export type Price = {
  fixed: number;
  perElement: number;
  perByte: number;
  /** For each byte, as often as there are bytes: for a text of the request that is looked for in another one. */
  perSquareByte: number;
};

/** Prices of what is more than a step, as measured. */
export const CALL_STEPS = 10;
export const BYTE_STEPS = 0.125;
/** An operator that goes on after an error of an operand. */
export const ERROR_STEPS = 50;
/** A part of the time in a time zone, which is looked up. */
export const ZONE_STEPS = 1000;
/** A value's element that is compared. */
export const COMPARED_STEPS = 2;
/** An element of a list in the condition. */
export const LISTED_STEPS = 0.3;
/** For each byte of a text by which a member is looked up. */
export const INDEX_STEPS = 0.008;
/** For each byte of a text, and each of another one that is looked for in it. */
const SEARCH_STEPS = 0.002;

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

/** The most characters of a text that is known by us. */
const KNOWN_LENGTH = 256;

/** Adds the price of looking for a text, null for one of the request: its length times the other one's. */
export function addSearchPrice(price: Price, sought: unknown): void {
  if (sought === null) price.perSquareByte += SEARCH_STEPS / 4;
  else price.perByte += SEARCH_STEPS * (typeof sought === "string" ? sought.length : KNOWN_LENGTH);
}
