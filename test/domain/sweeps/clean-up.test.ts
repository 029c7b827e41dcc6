import { describe, expect, it } from "vitest";
import { type BatchResult, type Cleanup, cleanUp } from "../../../src/domain/sweeps/clean-up.ts";

/** A cleanup of lists of rows, one row per batch. Notes each batch. */
function createCleanup(name: string, rows: Record<string, number>, turns: string[]): Cleanup {
  return {
    name,
    find: () =>
      Promise.resolve(
        Object.entries(rows).map(([part, count]) => {
          let left = count;
          const run = (): Promise<BatchResult> => {
            turns.push(part);
            return Promise.resolve({ deleted: 1, hasMore: --left > 0 });
          };
          return { workspaceId: `${name} ${part}`, run };
        }),
      ),
  };
}

describe("cleanUp", () => {
  it("goes on until nothing is left, and batches take turns", async () => {
    const turns: string[] = [];
    const cleanups = [
      createCleanup("one", { large: 50, small: 2 }, turns),
      createCleanup("two", { other: 3 }, turns),
    ];
    expect(await cleanUp({}, cleanups)).toEqual({
      deleted: { one: 52, two: 3 },
      failures: [],
      hasMore: false,
    });
    expect(turns.lastIndexOf("small")).toBeLessThan(10);
    expect(turns.lastIndexOf("other")).toBeLessThan(10);
  });

  it("goes on with others if one fails or can't be found", async () => {
    const turns: string[] = [];
    const cleanups: Cleanup[] = [
      { name: "lost", find: () => Promise.reject(new Error("no index")) },
      {
        name: "broken",
        find: () => Promise.resolve([{ workspaceId: "w", run: () => Promise.reject(new Error("locked")) }]),
      },
      createCleanup("sound", { rows: 3 }, turns),
    ];
    const { deleted, failures } = await cleanUp({}, cleanups);
    expect(deleted).toEqual({ sound: 3 });
    expect(failures.map(({ message, cause }) => [message, (cause as Error).message])).toEqual([
      ["old rows could not be found: lost", "no index"],
      ["old rows could not be deleted: broken", "locked"],
    ]);
  });

  it("runs two batches at a time", async () => {
    const state = { running: 0, most: 0 };
    const batch = async () => {
      state.most = Math.max(state.most, ++state.running);
      await new Promise((resolve) => setImmediate(resolve));
      state.running--;
      return { deleted: 1, hasMore: false };
    };
    await cleanUp({}, [
      {
        name: "many",
        find: () =>
          Promise.resolve(Array.from({ length: 20 }, (_, n) => ({ workspaceId: `${n}`, run: batch }))),
      },
    ]);
    expect(state.most).toBe(2);
  });

  it("runs one batch of a workspace at a time, so a locked one does not delay others", async () => {
    let unlock = () => {};
    const unlocked = new Promise<void>((resolve) => {
      unlock = resolve;
    });
    const turns: string[] = [];
    const locked = Array.from({ length: 3 }, () => ({
      workspaceId: "locked",
      run: async () => {
        turns.push("locked");
        await unlocked;
        return { deleted: 1, hasMore: false };
      },
    }));
    const sound = Array.from({ length: 3 }, (_, n) => ({
      workspaceId: "sound",
      run: () => {
        turns.push("sound");
        if (n === 2) unlock();
        return Promise.resolve({ deleted: 1, hasMore: false });
      },
    }));
    const find = () => Promise.resolve([...locked, ...sound]);
    expect(await cleanUp({}, [{ name: "rows", find }])).toMatchObject({ deleted: { rows: 6 } });
    expect(turns).toEqual(["locked", "sound", "sound", "sound", "locked", "locked"]);
  });

  it("ends after the running batches when the server stops", async () => {
    const stopping = new AbortController();
    let count = 0;
    const batch = () => {
      if (++count === 5) stopping.abort();
      return Promise.resolve({ deleted: 1, hasMore: true });
    };
    await cleanUp({ stopping: stopping.signal }, [
      { name: "endless", find: () => Promise.resolve([{ workspaceId: "w", run: batch }]) },
    ]);
    expect(count).toBe(5);
  });
});
