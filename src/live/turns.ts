/** Work that may be long, in steps: after each of them others may get their turn. */
export type Steps<Result = void> = Generator<void, Result, void>;

/** Does the work of many workspaces in turns. */
export type Turns = {
  /** Does work for a workspace; resolved when its last step is done, and rejected with what one has thrown. */
  run: (workspaceId: string, work: Steps) => Promise<void>;
};

/** Does one thing in a workspace's turn. */
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
  // It was pushed, or the turn has thrown.
  return result as Result;
}

/** How long the process is held before others than these workspaces get their turn. */
const HOLD_MS = 4;
/** How long one workspace works before the next. */
const TURN_MS = 1;

type Job = { work: Steps; done: () => void; failed: (error: unknown) => void };

/**
 * Makes turns: workspaces come one after the other, each with one of its jobs for a short time, whatever the others
 * have to do. Sockets, requests and timers come between.
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

  /** The first workspace works for a while and goes behind the others, as its job does among its jobs. */
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

/** Works on a job for a turn. @returns whether it is over. */
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
