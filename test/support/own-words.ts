import { expect } from "vitest";
import type { TestAnswer } from "./test-client.ts";

/** Internal names, and default messages of validators. */
const INTERNAL =
  /\b[a-z]+[A-Z]\w*|\ba [AEIOU][a-z]\w*|\b(?:Invalid|Unrecognized|Too (?:small|big)|expected|received|NaN|undefined|must NOT|must match pattern)\b/;

/** Expects that an error contains only names of the API: no internal names and no default messages. */
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
    // Robot states use JSONPath with VDA 5050's names.
    expect(text.replace(/^\$[.\w[\]]+/, "")).not.toMatch(INTERNAL);
  }
}
