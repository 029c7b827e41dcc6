import { expect } from "vitest";
import type { TestAnswer } from "./test-client.ts";

/** Names as our code spells them, and what validators say by themselves. */
const INTERNAL =
  /\b[a-z]+[A-Z]\w*|\ba [AEIOU][a-z]\w*|\b(?:Invalid|Unrecognized|Too (?:small|big)|expected|received|NaN|undefined|must NOT|must match pattern)\b/;

/** Holds a refusal to the words of the wire: no name of our code's own, no validator's text. */
export function expectOwnWords({ body }: TestAnswer): void {
  const {
    detail,
    field = "",
    errors = [],
  } = body as {
    detail: string;
    field?: string;
    errors?: { field: string; detail: string }[];
  };
  for (const text of [detail, field, ...errors.flatMap((one) => [one.field, one.detail])]) {
    // A robot's state is told of by JSONPath, in the words of VDA 5050.
    expect(text.replace(/^\$[.\w[\]]+/, "")).not.toMatch(INTERNAL);
  }
}
