import { beforeEach, describe, expect, it } from "vitest";
import { type FairQueue, type WaitingItem, openFairQueue } from "../../../src/domain/kernel/fair-queue.ts";

const MOST_BYTES = { all: 33_554_432, workspace: 4_194_304 };

let queue: FairQueue<WaitingItem>;

beforeEach(() => {
  queue = openFairQueue(MOST_BYTES);
});

function item(workspaceId: string, bytes = 1000): WaitingItem {
  return { workspaceId, bytes };
}

function begin(): WaitingItem | null {
  return queue.begin(() => true);
}

describe("the fair queue", () => {
  it("serves the workspace that has used least, each in order", () => {
    const [first, second, other] = [item("a"), item("a"), item("b")];
    for (const one of [first, second, other]) queue.add(one);
    expect(begin()).toBe(first);
    queue.end(first, 5000);
    expect(begin()).toBe(other);
    queue.end(other, 1);
    expect(begin()).toBe(second);
    expect(queue.usedMs("a")).toBeGreaterThan(queue.usedMs("b"));
  });

  it("gives a workspace one turn at a time, and none to a blocked one", () => {
    const [first, second, other] = [item("a"), item("a"), item("b")];
    for (const one of [first, second, other]) queue.add(one);
    expect(begin()).toBe(first);
    expect(queue.begin((workspaceId) => workspaceId !== "b")).toBe(null);
    expect(begin()).toBe(other);
    expect(begin()).toBe(null);
    queue.end(first, 1);
    expect(begin()).toBe(second);
  });

  it("holds 4 MiB of a workspace and 32 MiB of all, and accepts more when some is removed", () => {
    const mib = 1_048_576;
    const held = item("a", 4 * mib);
    expect(queue.add(held)).toBe(true);
    expect(queue.add(item("a", 1))).toBe(false);
    const others = Array.from({ length: 8 }, (_each, index) => queue.add(item(`b${index}`, 4 * mib)));
    expect(others).toEqual([true, true, true, true, true, true, true, false]);
    queue.remove(held);
    queue.remove(held);
    expect(queue.waiting()).toHaveLength(7);
    expect(queue.add(item("c", 4 * mib))).toBe(true);
    expect(queue.add(item("c", 1))).toBe(false);
  });
});
