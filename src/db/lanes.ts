import { setMaxListeners } from "node:events";

/**
 * Runs work in a lane. Each lane runs a limited number at once; the rest waits in order. An aborted signal ends the
 * wait.
 */
export type Lanes = <Result>(
  name: string,
  work: () => Promise<Result>,
  signal?: AbortSignal | null,
) => Promise<Result>;

/** The error code of work that did not get a turn in time. */
export const NO_TURN = "NO_TURN";

type Lane = { running: number; waiting: Set<() => void> };

/**
 * @param options.width how many run at once in each lane.
 * @param options.timeoutMs how long to wait for a turn; after that, rejects with {@link NO_TURN}.
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

  /** The next one takes over the slot directly, so it is never free in between. */
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
      // One request may have any number of concurrent reads.
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
      reject(Object.assign(new Error("no database connection became available in time"), { code: NO_TURN }));
    }

    function leave(): void {
      waiting.delete(go);
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
    }
  });
}
