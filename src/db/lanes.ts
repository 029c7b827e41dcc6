import { setMaxListeners } from "node:events";

/**
 * Runs work in a lane: in each of them so many run at once, and the others wait in the order in which they came.
 * Whoever is gone, by the signal, waits no more.
 */
export type Lanes = <Result>(
  name: string,
  work: () => Promise<Result>,
  signal?: AbortSignal | null,
) => Promise<Result>;

/** What is rejected with whose turn did not come. */
export const NO_TURN = "NO_TURN";

type Lane = { running: number; waiting: Set<() => void> };

/**
 * Makes lanes.
 *
 * @param options.width how many run at once in each.
 * @param options.timeoutMs for how long one waits for its turn; after that it is rejected with {@link NO_TURN}.
 */
export function createLanes({ width, timeoutMs }: { width: number; timeoutMs: number }): Lanes {
  const lanes = new Map<string, Lane>();

  async function enter(name: string, signal: AbortSignal | null): Promise<Lane> {
    const lane = lanes.get(name) ?? { running: 0, waiting: new Set() };
    lanes.set(name, lane);
    if (lane.running < width) lane.running++;
    else await waitForTurn(lane, timeoutMs, signal);
    return lane;
  }

  /** Whoever waits takes the place as it is: it is never free between them. */
  function leave(name: string, lane: Lane): void {
    const [next] = lane.waiting;
    if (next !== undefined) next();
    else if (--lane.running === 0) lanes.delete(name);
  }

  return async (name, work, signal = null) => {
    const lane = await enter(name, signal);
    try {
      return await work();
    } finally {
      leave(name, lane);
    }
  };
}

function waitForTurn({ waiting }: Lane, timeoutMs: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(giveUp, timeoutMs);
    if (signal !== null) {
      // One request may read any number of things at once.
      setMaxListeners(0, signal);
      signal.addEventListener("abort", giveUp, { once: true });
    }
    waiting.add(go);
    if (signal?.aborted === true) giveUp();

    function go(): void {
      leave();
      resolve();
    }

    function giveUp(): void {
      leave();
      reject(Object.assign(new Error("too many wait for their turn"), { code: NO_TURN }));
    }

    function leave(): void {
      waiting.delete(go);
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
    }
  });
}
