import { describe, expect, it } from "vitest";
import { createUnknownTest } from "../../../../src/domain/policies/condition/unknown-values.ts";

const HIDDEN = "?";

describe("the test for paths to what is not known", () => {
  it("looks through each value once, however many paths lead to it", () => {
    const names = Array.from({ length: 1000 }, (_, n) => `p${n}`);
    const args = new Map(names.map((name) => [name, "text"]));
    let looked = 0;
    const isUnknown = createUnknownTest({ args }, (text) => {
      looked++;
      return text === HIDDEN;
    });
    for (const name of names) expect(isUnknown(`args.${name}`)).toBe(false);
    expect(isUnknown("args")).toBe(false);
    expect(looked).toBeLessThan(3 * names.length);
  });

  it.each([
    ["args.a", false],
    ["args.a.b", false],
    ["args.hidden", true],
    ["args.list[0]", false],
    ["args.list[1]", true],
    ["args.list", true],
    ["args.named.b", true],
    ['args["a"]', false],
    ["args", true],
  ])("says of %s whether it may be another value: %s", (path, isUnknown) => {
    const named = new Map([[HIDDEN, 1]]);
    const args = new Map<string, unknown>([
      ["a", "text"],
      ["hidden", HIDDEN],
      ["list", ["text", HIDDEN]],
      ["named", named],
    ]);
    expect(createUnknownTest({ args }, (text) => text === HIDDEN)(path)).toBe(isUnknown);
  });
});
