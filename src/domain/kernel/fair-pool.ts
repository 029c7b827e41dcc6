import { DomainError } from "./errors.ts";
import { type MostBytes, type WaitingItem, openFairQueue } from "./fair-queue.ts";

/** Runs work of workspaces, a bounded number at once and one of each workspace. */
export type FairPool = {
  /**
   * Runs work when it is the workspace's turn: next is that of the workspace that has used the least time.
   *
   * @throws {DomainError} unavailable if too much waits; what the work throws.
   */
  run: <Result>(item: WaitingItem, work: () => Promise<Result>) => Promise<Result>;
};

type Waiting = WaitingItem & { start: () => Promise<void> };

/** @param mostBytes of work that waits. */
export function createFairPool({ atOnce, mostBytes }: { atOnce: number; mostBytes: MostBytes }): FairPool {
  const queue = openFairQueue<Waiting>(mostBytes);
  let running = 0;

  function serve(): void {
    while (running < atOnce) {
      const next = queue.begin(() => true);
      if (next === null) return;
      running++;
      finish(next).catch(() => {});
    }
  }

  async function finish(item: Waiting): Promise<void> {
    const startedMs = performance.now();
    await item.start();
    queue.end(item, performance.now() - startedMs);
    running--;
    serve();
  }

  return {
    run: ({ workspaceId, bytes }, work) =>
      new Promise((resolve, reject) => {
        async function start(): Promise<void> {
          await work().then(resolve, reject);
        }
        if (!queue.add({ workspaceId, bytes, start })) return reject(createBusyError());
        serve();
      }),
  };
}

function createBusyError(): DomainError {
  return new DomainError("unavailable", "Too many large requests at once. Try again in a few seconds.");
}
