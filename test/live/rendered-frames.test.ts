import { describe, expect, it } from "vitest";
import { type RenderedFrames, createRenderedFrames } from "../../src/live/rendered-frames.ts";
import { storedEvent } from "../support/stored-event.ts";

const EPOCH = crypto.randomUUID();

/** Requests events of a workspace by number. @returns those that had to be rendered. */
function ask(frames: RenderedFrames, whose: string, seqs: readonly number[]): number[] {
  const [workspaceId = "", key = "all"] = whose.split(" ");
  const rendered: number[] = [];
  for (const seq of seqs) {
    const render = () => {
      rendered.push(seq);
      return Buffer.alloc(700);
    };
    frames.getFrame(workspaceId, { key, render }, storedEvent({ epoch: EPOCH, seq }));
  }
  return rendered;
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

describe("rendered frames", () => {
  it("are rendered once for identical subscriptions", () => {
    const frames = createRenderedFrames();
    expect(ask(frames, "a", [1, 2])).toEqual([1, 2]);
    expect(ask(frames, "a", [1, 2, 3])).toEqual([3]);
    expect(ask(frames, "a others", [1])).toEqual([1]);
    expect(ask(frames, "b", [1])).toEqual([1]);
  });

  it("use limited memory, per workspace and in total", () => {
    const frames = createRenderedFrames({ one: 10_000, all: 25_000 });
    for (const workspace of ["a", "b", "c", "d"]) {
      ask(frames, workspace, range(100));
      expect(frames.bytes()).toBeLessThanOrEqual(25_000);
      expect(ask(frames, workspace, [100])).toEqual([]);
    }
    expect(frames.bytes()).toBeGreaterThan(15_000);
  });

  it("of a busy workspace don't displace those of others", () => {
    const frames = createRenderedFrames({ one: 10_000, all: 25_000 });
    ask(frames, "calm", [1, 2]);
    ask(frames, "busy", range(1000));
    expect(ask(frames, "calm", [1, 2])).toEqual([]);
  });

  it("are not kept if they are too large", () => {
    const frames = createRenderedFrames({ one: 500, all: 1000 });
    expect(ask(frames, "a", [1, 1])).toEqual([1, 1]);
    expect(frames.bytes()).toBe(0);
  });
});
