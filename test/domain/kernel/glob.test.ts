import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchGlob, parseGlob } from "../../../src/domain/kernel/glob.ts";

function matches(pattern: string, text: string): boolean {
  const glob = parseGlob(pattern);
  if (typeof glob === "string") throw new Error(glob);
  return matchGlob(glob, text);
}

describe("a glob", () => {
  it.each([
    ["stripe.refund", "stripe.refund", true],
    ["stripe.refund", "stripe.refunds", false],
    ["stripe.*", "stripe.refund", true],
    ["stripe.*", "stripe.", true],
    ["stripe.*", "Stripe.refund", false],
    ["*", "", true],
    ["*.delete", "db.delete", true],
    ["a*b*c", "abc", true],
    ["a*b*c", "a-b-b-c", true],
    ["a*b*c", "acb", false],
    ["a*a", "a", false],
    ["ab*ba", "aba", false],
    ["**", "x", true],
    [String.raw`a\*b`, "a*b", true],
    [String.raw`a\*b`, "axb", false],
    [String.raw`a\*`, "a*", true],
    ["a.b", "axb", false],
    ["", "", true],
    ["", "x", false],
  ])("%s on %s: %s", (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it("agrees with a regular expression", () => {
    const texts = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 12 });
    fc.assert(
      fc.property(texts, fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 }), (pattern, text) => {
        const source = pattern.replaceAll("*", ".*");
        fc.pre(pattern.split("*").length <= 9);
        expect(matches(pattern, text)).toBe(new RegExp(`^${source}$`).test(text));
      }),
    );
  });

  it("has limits", () => {
    expect(parseGlob("x".repeat(257))).toBe("must have at most 256 characters");
    expect(parseGlob("*".repeat(9))).toBe("must have at most 8 stars");
    expect(parseGlob("x".repeat(256))).toEqual(["x".repeat(256)]);
  });
});
