/** Long work in steps. Other work may run after each step. */
export type Steps<Result = void> = Generator<void, Result, void>;

/** Runs work of many workspaces in fair turns. */
export type Turns = {
  /** Runs work for a workspace. Resolves after its last step; rejects with the error of a step. */
  run: (workspaceId: string, work: Steps) => Promise<void>;
};

/** Runs a function in a workspace's turn. */
export async function runInTurn<Result>(
  takeTurn: Turns["run"],
  workspaceId: string,
  work: () => Result,
): Promise<Result> {
  const results: Result[] = [];
  function* step(): Steps {
    results.push(work());
    yield;
  }
  await takeTurn(workspaceId, step());
  const [result] = results;
  // Set unless the turn has thrown.
  return result as Result;
}

/** How long turns may block the event loop. */
const HOLD_MS = 4;
/** How long one workspace's turn takes. */
const TURN_MS = 1;

type Job = { work: Steps; done: () => void; failed: (error: unknown) => void };

/**
 * Workspaces take turns, each with one of its jobs for a short time, however much work they have. Sockets,
 * requests and timers run in between.
 */
export function createTurns(): Turns {
  const waiting = new Map<string, Set<Job>>();
  let isDue = false;

  function runTurns(): void {
    const untilMs = performance.now() + HOLD_MS;
    while (waiting.size > 0 && performance.now() < untilMs) takeTurn();
    isDue = waiting.size > 0;
    if (isDue) setImmediate(runTurns);
  }

  /** Gives the first workspace a turn and moves it to the end, and its job to the end of its jobs. */
  function takeTurn(): void {
    const [first] = waiting;
    if (first === undefined) return;
    const [workspaceId, jobs] = first;
    const [job] = jobs;
    if (job !== undefined) {
      jobs.delete(job);
      if (!work(job)) jobs.add(job);
    }
    waiting.delete(workspaceId);
    if (jobs.size > 0) waiting.set(workspaceId, jobs);
  }

  return {
    run: (workspaceId, steps) =>
      new Promise((done, failed) => {
        const jobs = waiting.get(workspaceId) ?? new Set();
        waiting.set(workspaceId, jobs.add({ work: steps, done, failed }));
        if (!isDue) setImmediate(runTurns);
        isDue = true;
      }),
  };
}

/** Runs a job for one turn. @returns whether it is finished. */
function work({ work: steps, done, failed }: Job): boolean {
  const untilMs = performance.now() + TURN_MS;
  try {
    while (steps.next().done !== true) if (performance.now() >= untilMs) return false;
    done();
    return true;
  } catch (error) {
    failed(error);
    return true;
  }
}
