import { describe, expect, it } from "vitest";
import { createLanes } from "../../src/db/lanes.ts";
import { toDomainError } from "../../src/domain/kernel/to-domain-error.ts";

/** Work that ends on request. */
function createHeldWork() {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end };
}

describe("lanes", () => {
  it("run a limited number at once, and the next when one ends in any way", async () => {
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

  it("limit the waiting time", async () => {
    const lanes = createLanes({ width: 1, timeoutMs: 1 });
    const held = createHeldWork();
    const first = lanes("a", held.work);
    const error = await lanes("a", async () => {}).catch((thrown: unknown) => thrown);
    expect(toDomainError(error)).toMatchObject({
      code: "unavailable",
      message: "Too many requests of this workspace at once. Try again in a few seconds.",
    });
    held.end();
    await first;
    expect(await lanes("a", async () => "free again")).toBe("free again");
  });

  it("skip callers that left before their turn", async () => {
    const lanes = createLanes({ width: 1, timeoutMs: 60_000 });
    const held = createHeldWork();
    const begun: string[] = [];
    const first = lanes("a", held.work);
    const gone = new AbortController();
    const waiting = lanes("a", async () => begun.push("gone"), gone.signal);
    const next = lanes("a", async () => begun.push("next"));
    gone.abort();
    await expect(waiting).rejects.toThrow();
    await expect(lanes("a", async () => begun.push("gone before"), gone.signal)).rejects.toThrow();
    held.end();
    await Promise.all([first, next]);
    expect(begun).toEqual(["next"]);
    expect(await lanes("a", async () => "free again")).toBe("free again");
  });
});
