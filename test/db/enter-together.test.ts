import { describe, expect, it } from "vitest";
import { enterTogether } from "../../src/db/enter-together.ts";
import { createLanes } from "../../src/db/lanes.ts";

const ROOMY = { width: 1, shared: 10, most: 100, timeoutMs: 60_000 };
const A = { owner: "one", name: "a" };

describe("enterTogether", () => {
  it("gives concurrent calls one turn, up to a hundred", async () => {
    const lanes = createLanes(ROOMY);
    let turns = 0;
    const enter = enterTogether((work) => {
      turns++;
      return lanes(A, work);
    });
    const answers = Array.from({ length: 150 }, (_, nth) => enter(async () => nth));
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 150 }, (_, nth) => nth));
    expect(turns).toBe(2);
    expect(await enter(async () => "later")).toBe("later");
    expect(turns).toBe(3);
  });

  it("fails only failing calls, and keeps the turn until the last has ended", async () => {
    const lanes = createLanes(ROOMY);
    const enter = enterTogether((work) => lanes(A, work));
    const ended: string[] = [];
    let end = () => {};
    const held = new Promise<void>((resolve) => (end = resolve));
    const bad = enter(async () => Promise.reject(new Error("bad")));
    const good = enter(() => held.then(() => ended.push("good")));
    await expect(bad).rejects.toThrow("bad");
    const next = lanes(A, async () => ended.push("next"));
    end();
    await Promise.all([good, next]);
    expect(ended).toEqual(["good", "next"]);
  });

  it("fails all if there is no turn, and recovers", async () => {
    const lanes = createLanes({ ...ROOMY, timeoutMs: 1 });
    const enter = enterTogether((work) => lanes(A, work));
    let end = () => {};
    const first = lanes(A, () => new Promise<void>((resolve) => (end = resolve)));
    const refused = await Promise.allSettled([enter(async () => 1), enter(async () => 2)]);
    expect(refused).toMatchObject([{ reason: { code: "NO_TURN" } }, { reason: { code: "NO_TURN" } }]);
    end();
    await first;
    expect(await enter(async () => 3)).toBe(3);
  });
});
