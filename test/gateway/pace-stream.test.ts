import { describe, expect, it } from "vitest";
import { paceStream } from "../../src/gateway/pace-stream.ts";

describe("paceStream", () => {
  it("continues only when its socket can take more", async () => {
    const read: number[] = [];
    const looks = [true, true, false];
    async function* source() {
      for (let value = 1; ; value++) {
        read.push(value);
        yield value;
      }
    }
    const isFull = () => {
      expect(read).toEqual([]);
      return looks.shift() ?? false;
    };
    const stream = paceStream(source(), { isFull });
    expect(await stream.next()).toEqual({ done: false, value: 1 });
    expect(looks).toEqual([]);
  });

  it("ends its source and stops waiting when it is left", async () => {
    let isLeft = false;
    async function* source() {
      try {
        yield 1;
      } finally {
        isLeft = true;
      }
    }
    const inner = source();
    await inner.next();
    const stream = paceStream(inner, { isFull: () => true });
    const waiting = stream.next();
    expect(await stream.return()).toEqual({ done: true, value: undefined });
    expect(await waiting).toMatchObject({ done: true });
    expect(isLeft).toBe(true);
  });
});
