/** Runs work in a lane: in each of them so many run at once, and the others wait in the order in which they came. */
export type Lanes = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

type Lane = { running: number; waiting: Set<() => void> };

/**
 * Makes lanes.
 *
 * @param width how many run at once in each.
 * @param patienceMs for how long one waits for its turn; after that it is rejected with ETIMEDOUT.
 */
export function createLanes({ width, timeoutMs }: { width: number; timeoutMs: number }): Lanes {
  const lanes = new Map<string, Lane>();

  async function enter(name: string): Promise<Lane> {
    const lane = lanes.get(name) ?? { running: 0, waiting: new Set() };
    lanes.set(name, lane);
    if (lane.running < width) lane.running++;
    else await waitForTurn(lane, timeoutMs);
    return lane;
  }

  /** Whoever waits takes the place as it is: it is never free between them. */
  function leave(name: string, lane: Lane): void {
    const [next] = lane.waiting;
    if (next !== undefined) next();
    else if (--lane.running === 0) lanes.delete(name);
  }

  return async (name, work) => {
    const lane = await enter(name);
    try {
      return await work();
    } finally {
      leave(name, lane);
    }
  };
}

function waitForTurn({ waiting }: Lane, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.delete(go);
      reject(Object.assign(new Error("too many wait for their turn"), { code: "ETIMEDOUT" }));
    }, timeoutMs);
    function go(): void {
      waiting.delete(go);
      clearTimeout(timer);
      resolve();
    }
    waiting.add(go);
  });
}
