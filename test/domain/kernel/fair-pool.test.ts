import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { createFairPool } from "../../../src/domain/kernel/fair-pool.ts";
import { getErrorCode } from "../../support/callers.ts";

const BYTES = { all: 100, workspace: 50 };

/** Work that ends when it is told to. */
function createWork(): { work: () => Promise<string>; end: () => void; begun: () => boolean } {
  const signal = new AbortController();
  let begun = false;
  return {
    work: async () => {
      begun = true;
      if (!signal.signal.aborted) await once(signal.signal, "abort");
      return "done";
    },
    end: () => signal.abort(),
    begun: () => begun,
  };
}

/** Uses the processor. */
function work(milliseconds: number): void {
  const untilMs = performance.now() + milliseconds;
  while (performance.now() < untilMs);
}

describe("createFairPool", () => {
  it("runs so many at once, each of another workspace, and then those that have waited", async () => {
    const { run } = createFairPool({ atOnce: 2, mostBytes: BYTES });
    const works = ["a", "a", "b", "c"].map((workspaceId) => ({ workspaceId, ...createWork() }));
    const results = works.map(({ workspaceId, work }) => run({ workspaceId, bytes: 1 }, work));
    expect(works.map(({ begun }) => begun())).toEqual([true, false, true, false]);
    for (const { end } of works) end();
    expect(await Promise.all(results)).toEqual(["done", "done", "done", "done"]);
  });

  it("lets a newcomer go before who has used more time", async () => {
    const { run } = createFairPool({ atOnce: 1, mostBytes: BYTES });
    const order: string[] = [];
    async function take(workspaceId: string): Promise<void> {
      await run({ workspaceId, bytes: 1 }, async () => {
        order.push(workspaceId);
        work(5);
      });
    }
    await Promise.all([take("hungry"), take("hungry"), take("hungry"), take("new")]);
    expect(order).toEqual(["hungry", "new", "hungry", "hungry"]);
  });

  it("refuses what would be too much to wait, and goes on after work that throws", async () => {
    const { run } = createFairPool({ atOnce: 1, mostBytes: BYTES });
    const first = createWork();
    const held = run({ workspaceId: "a", bytes: 50 }, first.work);
    const failing = run({ workspaceId: "a", bytes: 50 }, () => Promise.reject(new Error("broken")));
    const refused = run({ workspaceId: "a", bytes: 1 }, () => Promise.resolve("late"));
    expect(await getErrorCode(refused)).toBe("unavailable");
    first.end();
    expect(await held).toBe("done");
    await expect(failing).rejects.toThrow("broken");
    expect(await run({ workspaceId: "a", bytes: 1 }, () => Promise.resolve("next"))).toBe("next");
  });
});
