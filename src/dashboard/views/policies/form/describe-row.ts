import { type Comparison, type TypedRow, isClock, isOptional } from "./to-conjunct.ts";

export const COMPARISON_WORDS: Readonly<Record<Comparison, string>> = {
  is: "is",
  isNot: "is not",
  less: "is less than",
  atMost: "is at most",
  more: "is more than",
  atLeast: "is at least",
  oneOf: "is one of",
  glob: "matches, with * for any text",
  present: "is there",
  absent: "is missing",
};

/** A row in words, and what it says of a missing value. */
export function describeRow({ path, comparison, value, holdsIfMissing, zone }: TypedRow): string {
  if (isClock(path)) return `the ${path} in ${zone || "UTC"} ${COMPARISON_WORDS[comparison]} ${value}`;
  const verb = comparison === "glob" ? "matches" : COMPARISON_WORDS[comparison];
  if (comparison === "present" || comparison === "absent") return `${path} ${verb}`;
  const missing = holdsIfMissing ? ", or is missing" : "";
  return `${path} ${verb} ${value}${isOptional(path) ? missing : ""}`;
}
