import { expect, it } from "vitest";
import { endInTurn } from "../../../src/domain/kernel/end-in-turn.ts";
import { countLoopTurns } from "../../support/loop-turns.ts";

it("ends few waits in each turn of the event loop, in order", async () => {
  const turns = countLoopTurns();
  const ended: number[] = [];
  const turnOf: number[] = [];
  await new Promise<void>((resolve) => {
    for (let at = 0; at < 1000; at++) {
      endInTurn(() => {
        ended.push(at);
        turnOf.push(turns.current());
        if (at === 999) resolve();
      });
    }
    expect(ended).toEqual([]);
  });
  turns.stop();
  expect(ended).toEqual(Array.from({ length: 1000 }, (_, at) => at));
  const counts = new Map<number, number>();
  for (const turn of turnOf) counts.set(turn, (counts.get(turn) ?? 0) + 1);
  expect(Math.max(...counts.values())).toBeLessThanOrEqual(32);
});
