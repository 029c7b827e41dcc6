import { describe, expect, it } from "vitest";
import { type Work, createFairTurns } from "../../../src/domain/sweeps/fair-turns.ts";

/** Work of this many parts. Notes each part by its lane. */
function createWork(lane: string, parts: number, turns: string[]): Work {
  let left = parts;
  async function run(): Promise<boolean> {
    turns.push(lane);
    await new Promise((resolve) => setImmediate(resolve));
    return --left > 0;
  }
  return { name: "work", lane, run };
}

/** Work that waits until it is released. */
function createStuck(lane: string): { work: Work; release: () => void; runs: () => number } {
  let release = () => {};
  let runs = 0;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  async function run(): Promise<boolean> {
    runs++;
    await released;
    return false;
  }
  return { work: { name: "work", lane, run }, release, runs: () => runs };
}

describe("createFairTurns", () => {
  it("gives each lane a turn, however much work one has", async () => {
    const turns: string[] = [];
    const works = [createWork("large", 50, turns), createWork("a", 1, turns), createWork("b", 2, turns)];
    expect(await createFairTurns({ workers: 2 }).take(works)).toEqual([]);
    expect(turns).toHaveLength(53);
    expect(turns.lastIndexOf("a")).toBeLessThan(4);
    expect(turns.lastIndexOf("b")).toBeLessThan(8);
  });

  it("goes on with others while work is stuck, and neither adds it twice nor forgets it", async () => {
    const turns: string[] = [];
    const fair = createFairTurns({ workers: 2, patienceMs: 1 });
    const stuck = createStuck("stuck");
    await fair.take([stuck.work]);
    for (let run = 0; run < 3; run++) await fair.take([stuck.work, createWork("sound", 3, turns)]);
    const settled = fair.settle();
    await expect.poll(() => turns.length).toBeGreaterThanOrEqual(3);
    expect(stuck.runs()).toBe(1);
    stuck.release();
    await settled;
    await fair.take([createWork("stuck", 1, turns)]);
    expect(turns.at(-1)).toBe("stuck");
  });

  it("runs one work of a lane at a time, and no more lanes than workers", async () => {
    const state = { running: [] as string[], most: 0 };
    const create = (lane: string, name: string): Work => ({
      ...{ name, lane },
      run: async () => {
        expect(state.running).not.toContain(lane);
        state.most = Math.max(state.most, state.running.push(lane));
        await new Promise((resolve) => setImmediate(resolve));
        state.running.splice(state.running.indexOf(lane), 1);
        return false;
      },
    });
    const works = ["a", "b", "c", "d"].flatMap((lane) => [create(lane, "one"), create(lane, "two")]);
    expect(await createFairTurns({ workers: 3 }).take(works)).toEqual([]);
    expect(state.most).toBe(3);
  });

  it("ends work that fails, and returns its error once", async () => {
    const turns: string[] = [];
    const error = new Error("broken");
    const broken: Work = { name: "work", lane: "broken", run: () => Promise.reject(error) };
    const fair = createFairTurns({ workers: 1 });
    expect(await fair.take([broken, createWork("sound", 2, turns)])).toEqual([error]);
    expect(turns).toEqual(["sound", "sound"]);
    expect(await fair.take([])).toEqual([]);
  });
});
