import { describe, expect, it } from "vitest";
import { createLanes } from "../../src/db/lanes.ts";

/** Work that ends when it is told to. */
function createHeldWork() {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end };
}

describe("lanes", () => {
  it("run so many at once in each, and whoever waits has a turn when one ends, however it ends", async () => {
    const lanes = createLanes({ width: 2, timeoutMs: 60_000 });
    const held = createHeldWork();
    const begun: string[] = [];
    const first = [lanes("a", held.work), lanes("a", held.work)];
    const next = ["b", "c"].map((name) =>
      lanes("a", async () => {
        begun.push(name);
        throw new Error(name);
      }),
    );
    await lanes("other", async () => begun.push("other"));
    expect(begun).toEqual(["other"]);
    held.end();
    await Promise.all(first);
    expect(await Promise.allSettled(next)).toMatchObject([
      { reason: { message: "b" } },
      { reason: { message: "c" } },
    ]);
    expect(begun).toEqual(["other", "b", "c"]);
    expect(await lanes("a", async () => "free again")).toBe("free again");
  });

  it("let nobody wait for ever", async () => {
    const lanes = createLanes({ width: 1, timeoutMs: 1 });
    const held = createHeldWork();
    const first = lanes("a", held.work);
    await expect(lanes("a", async () => {})).rejects.toMatchObject({ code: "ETIMEDOUT" });
    held.end();
    await first;
    expect(await lanes("a", async () => "free again")).toBe("free again");
  });
});
