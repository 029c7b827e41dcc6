import { setTimeout as pause } from "node:timers/promises";

/** Work that is done a part at a time, in turns with other work. */
export type Work = {
  name: string;
  /** Of a lane, such as a workspace, only one work runs at a time. */
  lane: string;
  /** Does a part. @returns whether another turn is needed. */
  run: () => Promise<boolean>;
};

export type FairTurns = {
  /**
   * Adds work, unless work of the same lane and name waits or runs. Waits until that is done, or for the
   * patience of the turns, after which the work goes on.
   *
   * @returns the errors since the last call. After an error, work gets no other turn.
   */
  take: (works: readonly Work[]) => Promise<unknown[]>;
  /** Waits until no work is left. */
  settle: () => Promise<void>;
};

type Job = Work & { end: () => void };

/**
 * Runs the work of many workspaces in turns, so that much work delays others by one turn at a time, and work
 * that is slow, locked or fails delays only its own lane.
 *
 * @param options.workers how many lanes run at once.
 * @param options.patienceMs how long `take` waits. Default: without limit.
 */
export function createFairTurns(options: { workers: number; patienceMs?: number }): FairTurns {
  const failures: unknown[] = [];
  /** When each work that waits or runs ends. */
  const ends = new Map<string, Promise<void>>();
  const runInTurn = createQueue(options.workers, (error) => failures.push(error));

  async function run(key: string, work: Work): Promise<void> {
    await runInTurn(work);
    ends.delete(key);
  }

  function add(work: Work): Promise<void> {
    const key = `${work.name} ${work.lane}`;
    const end = ends.get(key) ?? run(key, work);
    ends.set(key, end);
    return end;
  }

  return {
    take: async (works) => {
      await waitAtMost(Promise.all(works.map(add)), options.patienceMs);
      return failures.splice(0);
    },
    settle: async () => {
      while (ends.size > 0) await Promise.all(ends.values());
    },
  };
}

/** @returns a function that runs work until it needs no other turn or fails, and resolves then. */
function createQueue(workers: number, onFailure: (error: unknown) => void): (work: Work) => Promise<void> {
  const waiting = new Set<Job>();
  const busy = new Set<string>();

  function fill(): void {
    while (busy.size < workers) {
      const job = findIdle(waiting, busy);
      if (job === undefined) return;
      waiting.delete(job);
      busy.add(job.lane);
      job.run().then(
        (isUnfinished) => leave(job, isUnfinished),
        (error: unknown) => {
          onFailure(error);
          leave(job, false);
        },
      );
    }
  }

  function leave(job: Job, isUnfinished: boolean): void {
    busy.delete(job.lane);
    if (isUnfinished) waiting.add(job);
    else job.end();
    fill();
  }

  return (work) =>
    new Promise((resolve) => {
      waiting.add({ ...work, end: resolve });
      fill();
    });
}

function findIdle(waiting: ReadonlySet<Job>, busy: ReadonlySet<string>): Job | undefined {
  for (const job of waiting) if (!busy.has(job.lane)) return job;
  return undefined;
}

async function waitAtMost(done: Promise<unknown>, ms: number | undefined): Promise<void> {
  const waited = new AbortController();
  const late = ms === undefined ? [] : [pause(ms, undefined, { signal: waited.signal }).catch(() => {})];
  await Promise.race([done, ...late]);
  waited.abort();
}
