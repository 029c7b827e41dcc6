import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LaneKey, createLanes } from "../../src/db/lanes.ts";
import { toDomainError } from "../../src/domain/kernel/to-domain-error.ts";

/** Work that ends on request. */
function createHeldWork() {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end };
}

const ROOMY = { width: 1, shared: 10, most: 100, timeoutMs: 60_000 };
const A = { owner: "one", name: "a" };
const B = { owner: "one", name: "b" };
const OTHER = { owner: "other", name: "a" };

describe("lanes", () => {
  it("run a limited number at once, and the next when one ends in any way", async () => {
    const lanes = createLanes({ ...ROOMY, width: 2 });
    const held = createHeldWork();
    const begun: string[] = [];
    const first = [lanes(A, held.work), lanes(A, held.work)];
    const next = ["b", "c"].map((name) =>
      lanes(A, async () => {
        begun.push(name);
        throw new Error(name);
      }),
    );
    await lanes(OTHER, async () => begun.push("other"));
    expect(begun).toEqual(["other"]);
    held.end();
    await Promise.all(first);
    expect(await Promise.allSettled(next)).toMatchObject([
      { reason: { message: "b" } },
      { reason: { message: "c" } },
    ]);
    expect(begun).toEqual(["other", "b", "c"]);
    expect(await lanes(A, async () => "free again")).toBe("free again");
  });

  it("leave room for owners that have none, and grow again when others end", async () => {
    const lanes = createLanes({ ...ROOMY, width: 4, most: 3 });
    const begun: string[] = [];
    function hold(key: LaneKey) {
      const held = createHeldWork();
      const done = lanes(key, () => {
        begun.push(key.owner);
        return held.work();
      });
      return { end: held.end, done };
    }
    const mine = Array.from({ length: 6 }, () => hold(A));
    const others = [hold(OTHER), hold({ owner: "third", name: "a" })];
    await setImmediate();
    expect(begun).toEqual(["one", "one", "one", "other", "third"]);
    for (const { end } of others) end();
    await Promise.all(others.map(({ done }) => done));
    mine[0]?.end();
    await mine[0]?.done;
    await setImmediate();
    expect(begun.slice(5)).toEqual(["one"]);
    for (const { end } of mine) end();
    await Promise.all(mine.map(({ done }) => done));
    expect(begun).toHaveLength(8);
  });

  it("limit the waiting time", async () => {
    const lanes = createLanes({ ...ROOMY, timeoutMs: 1 });
    const held = createHeldWork();
    const first = lanes(A, held.work);
    const error = await lanes(A, async () => {}).catch((thrown: unknown) => thrown);
    expect(toDomainError(error)).toMatchObject({
      code: "unavailable",
      message: "Too many requests of this workspace at once. Try again in a few seconds.",
    });
    held.end();
    await first;
    expect(await lanes(A, async () => "free again")).toBe("free again");
  });

  it("skip callers that left before their turn", async () => {
    const lanes = createLanes(ROOMY);
    const held = createHeldWork();
    const begun: string[] = [];
    const first = lanes(A, held.work);
    const gone = new AbortController();
    const waiting = lanes(A, async () => begun.push("gone"), gone.signal);
    const next = lanes(A, async () => begun.push("next"));
    gone.abort();
    await expect(waiting).rejects.toThrow();
    await expect(lanes(A, async () => begun.push("gone before"), gone.signal)).rejects.toThrow();
    held.end();
    await Promise.all([first, next]);
    expect(begun).toEqual(["next"]);
    expect(await lanes(A, async () => "free again")).toBe("free again");
  });

  it("of one owner leave connections to others, and each has one of its own", async () => {
    const lanes = createLanes({ ...ROOMY, width: 4, shared: 5 });
    const names = ["a", "b", "c", "d"];
    const held = createHeldWork();
    const begun: string[] = [];
    async function begin(key: LaneKey): Promise<void> {
      await lanes(key, async () => {
        begun.push(key.owner + key.name);
        await held.work();
      });
    }
    const all = names.flatMap((name) => Array.from({ length: 4 }, () => begin({ owner: "one", name })));
    const others = Array.from({ length: 4 }, () => begin(OTHER));
    await setImmediate();
    const count = (key: string) => begun.filter((one) => one === key).length;
    expect(names.map((name) => count(`one${name}`))).toEqual([4, 3, 1, 1]);
    expect(count("othera")).toBe(4);
    held.end();
    await Promise.all([...all, ...others]);
    expect(names.map((name) => count(`one${name}`))).toEqual([4, 4, 4, 4]);
  });

  it("of one owner give a shared connection to who has waited longest", async () => {
    const lanes = createLanes({ ...ROOMY, width: 3, shared: 1 });
    const [one, two] = [createHeldWork(), createHeldWork()];
    const begun: string[] = [];
    const first = [lanes(A, one.work), lanes(A, two.work), lanes(B, two.work)];
    const next = [
      lanes(B, async () => begun.push("b")),
      lanes(A, async () => begun.push("a")),
      lanes(B, async () => begun.push("b later")),
    ];
    one.end();
    await Promise.all(next);
    expect(begun).toEqual(["b", "a", "b later"]);
    two.end();
    await Promise.all(first);
  });

  it("run as many as they may, whatever comes and goes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(3), fc.boolean()), { maxLength: 60 }), async (steps) => {
        const lanes = createLanes({ ...ROOMY, width: 3, shared: 4 });
        const works: Work[] = [];
        for (const [lane, isNew] of steps) {
          if (isNew) {
            const { work, end } = createHeldWork();
            const one: Work = { lane, isRunning: false, end, done: Promise.resolve() };
            one.done = lanes({ owner: "one", name: `${lane}` }, () => {
              one.isRunning = true;
              return work();
            });
            works.push(one);
          } else await endOne(works, lane);
          await setImmediate();
          expectFull(works);
        }
        while (works.length > 0) await endOne(works, 0);
      }),
    );
  });
});

type Work = { lane: number; isRunning: boolean; end: () => void; done: Promise<void> };

/** Ends a work that runs, if one does. */
async function endOne(works: Work[], nth: number): Promise<void> {
  const running = works.filter(({ isRunning }) => isRunning);
  const ended = running[nth % Math.max(1, running.length)];
  if (ended === undefined) return;
  works.splice(works.indexOf(ended), 1);
  ended.end();
  await ended.done;
}

/** Expects that no limit is exceeded, and that nothing waits that may run. */
function expectFull(works: readonly Work[]): void {
  const counts = [0, 1, 2, 3].map((lane) => works.filter((one) => one.lane === lane && one.isRunning).length);
  const shared = counts.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
  expect(Math.max(...counts)).toBeLessThanOrEqual(3);
  expect(shared).toBeLessThanOrEqual(4);
  const mayRun = works.filter(({ lane, isRunning }) => {
    const count = counts[lane] ?? 0;
    return !isRunning && (count === 0 || (count < 3 && shared < 4));
  });
  expect(mayRun).toEqual([]);
}
