import { describe, expect, it } from "vitest";
import { toTakeSkip } from "../../src/schema/offset-page.ts";

describe("toTakeSkip", () => {
  it.each([
    [{}, { take: 50, skip: 0 }],
    [
      { first: null, offset: null },
      { take: 50, skip: 0 },
    ],
    [{ first: 1 }, { take: 1, skip: 0 }],
    [
      { first: 100, offset: 100_000 },
      { take: 100, skip: 100_000 },
    ],
  ])("converts %o", (asked, rows) => {
    expect(toTakeSkip(asked)).toEqual(rows);
  });

  it.each([
    ["first", { first: 0 }],
    ["first", { first: 101 }],
    ["offset", { offset: -1 }],
    ["offset", { offset: 100_001 }],
  ])("rejects %s of %o", (field, asked) => {
    expect(() => toTakeSkip(asked)).toThrow(
      expect.objectContaining({ code: "validation_failed", details: expect.objectContaining({ field }) }),
    );
  });
});
