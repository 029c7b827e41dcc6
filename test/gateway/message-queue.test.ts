import { describe, expect, it } from "vitest";
import { createMessageQueue } from "../../src/gateway/message-queue.ts";
import { LEAST_BYTES, TURN_BYTES, createBodyTurns } from "../../src/http/body-turns.ts";
import { countLoopTurns } from "../support/loop-turns.ts";

describe("the messages of sockets", () => {
  it("are spread over turns of the event loop if many large ones come at once", async () => {
    const takeTurn = createBodyTurns();
    const turns = countLoopTurns();
    const bytes = 60_000;
    const handled = new Map<number, number>();
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => {
        const queue = createMessageQueue((size) => takeTurn(`workspace ${at % 5}`, size));
        return new Promise<void>((resolve) => {
          queue(bytes, () => {
            handled.set(turns.current(), (handled.get(turns.current()) ?? 0) + bytes);
            resolve();
          });
        });
      }),
    );
    turns.stop();
    expect([...handled.values()].reduce((sum, each) => sum + each)).toBe(50 * bytes);
    expect(Math.max(...handled.values())).toBeLessThan(TURN_BYTES + bytes);
  });

  it("are handled in their order, and small ones at once if nothing waits", async () => {
    const takeTurn = createBodyTurns();
    const queue = createMessageQueue((bytes) => takeTurn("one", bytes));
    const handled: string[] = [];
    queue(1, () => handled.push("first"));
    expect(handled).toEqual(["first"]);
    const last = new Promise<void>((resolve) => {
      queue(TURN_BYTES, () => handled.push("large"));
      queue(1, () => handled.push("small"));
      queue(LEAST_BYTES + 1, () => {
        handled.push("last");
        resolve();
      });
    });
    expect(handled).toEqual(["first"]);
    await last;
    expect(handled).toEqual(["first", "large", "small", "last"]);
  });
});
