import { describe, expect, it } from "vitest";
import { createFairMemory } from "../../../src/domain/kernel/fair-memory.ts";

function open(most: number) {
  const memory = createFairMemory<string>(most);
  return {
    keep: (holder: string, key: string, size = 1) =>
      memory.set(holder, key, { value: `${holder} ${key}`, size }),
    knows: (holder: string, key: string) => memory.get(holder, key) === `${holder} ${key}`,
  };
}

describe("createFairMemory", () => {
  it("forgets what the holder of the most has not used for the longest time", () => {
    const { keep, knows } = open(4);
    keep("one", "a");
    for (const key of ["a", "b", "c"]) keep("many", key);
    expect(knows("many", "a")).toBe(true);
    keep("many", "d");
    expect(["a", "b", "c", "d"].filter((key) => knows("many", key))).toEqual(["a", "c", "d"]);
    for (let index = 0; index < 100; index++) keep("many", String(index));
    expect(knows("one", "a")).toBe(true);
    expect(knows("many", "99")).toBe(true);
  });

  it("forgets those of the holder who was not seen for the longest time, where all have as much", () => {
    const { keep, knows } = open(2);
    keep("one", "a");
    keep("two", "a");
    expect(knows("one", "a")).toBe(true);
    keep("three", "a");
    expect(["one", "two", "three"].filter((holder) => knows(holder, "a"))).toEqual(["one", "three"]);
  });

  it("counts what is remembered anew once, and forgets what is larger than all", () => {
    const { keep, knows } = open(4);
    keep("one", "a", 2);
    keep("one", "a", 2);
    keep("two", "a", 2);
    expect([knows("one", "a"), knows("two", "a")]).toEqual([true, true]);
    keep("one", "a", 5);
    expect([knows("one", "a"), knows("two", "a")]).toEqual([false, true]);
  });
});
