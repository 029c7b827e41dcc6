import { setImmediate } from "node:timers/promises";

/** Waits for this many turns of the event loop. */
export async function untilTurn(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await setImmediate();
}
