import { expect } from "vitest";

/** A sentence, or a field and what is wrong with it; no gap where a name is missing. */
const MESSAGE = /^(?!.*(?: {2}| [.,:;]|\s$))(?:["A-Z].*[.?!]|[^\s:]+: \S.*)$/s;

/** Expects an error's message to tell the caller what is wrong. */
export function expectMessage(message: unknown): void {
  expect(message, "an error's message").toMatch(MESSAGE);
}
