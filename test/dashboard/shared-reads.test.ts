import { describe, expect, it } from "vitest";
import { isWatched, shareRead, watch } from "../../src/dashboard/data/live/shared-reads.ts";

/** Reads that end when they are told to. */
function createReads() {
  const ends: (() => void)[] = [];
  return {
    ends,
    read: () =>
      new Promise<void>((resolve) => {
        ends.push(resolve);
      }),
  };
}

describe("shareRead", () => {
  it("joins a read that began since it was asked, and no older one", async () => {
    const { ends, read } = createReads();
    const asked = performance.now();
    const first = shareRead("tasks", asked, read);
    const joined = shareRead("tasks", asked, read);
    expect(ends).toHaveLength(1);
    const later = shareRead("tasks", performance.now() + 1, read);
    const other = shareRead("agents", asked, read);
    expect(ends).toHaveLength(3);
    for (const end of ends) end();
    await Promise.all([first, joined, later, other]);
    const again = shareRead("tasks", asked, read);
    expect(ends).toHaveLength(4);
    ends[3]?.();
    await again;
  });
});

describe("isWatched", () => {
  it("is true until the last who watches ends", () => {
    const [first, second] = [watch("tasks"), watch("tasks")];
    expect([isWatched("tasks"), isWatched("agents")]).toEqual([true, false]);
    first();
    expect(isWatched("tasks")).toBe(true);
    second();
    expect(isWatched("tasks")).toBe(false);
  });
});
