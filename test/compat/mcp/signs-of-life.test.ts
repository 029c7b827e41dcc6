import { describe, expect, it } from "vitest";
import { createSigns } from "../../../compat/mcp/signs-of-life.ts";

/** A stream whose client takes what was sent when it is told to. */
function createStream() {
  const sent: (object | null)[] = [];
  let take: () => void = () => {};
  return {
    sent,
    take: () => take(),
    stream: {
      send: (message: object | null) => void sent.push(message),
      untilRead: () => new Promise<void>((resolve) => (take = resolve)),
    },
  };
}

describe("signs of life", () => {
  it("wait until the client has taken the last one", async () => {
    const { sent, take, stream } = createStream();
    const showSign = createSigns("t", stream);
    showSign();
    showSign();
    expect(sent).toMatchObject([{ params: { progress: 10 } }]);
    take();
    await Promise.resolve();
    showSign();
    expect(sent).toMatchObject([{ params: { progress: 10 } }, { params: { progress: 30 } }]);
  });

  it.each([
    ["a long token", "t".repeat(257)],
    ["no token", null],
    ["an object", {}],
  ])("say nothing of progress for %s", (_name, token) => {
    const { sent, stream } = createStream();
    createSigns(token, stream)();
    expect(sent).toEqual([null]);
  });
});
