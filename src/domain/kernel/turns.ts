/** Long work in steps. Other work may run after each step. */
export type Steps<Result = void> = Generator<void, Result, void>;

/** Runs work of many workspaces in fair turns. */
export type Turns = {
  /** Runs work for a workspace. Resolves after its last step with its result; rejects with the error of a step. */
  run: <Result>(workspaceId: string, work: Steps<Result>) => Promise<Result>;
};

/** Runs a function in a workspace's turn. A promise that it returns has its handlers at once. */
export async function runInTurn<Result>(
  takeTurn: Turns["run"],
  workspaceId: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  function* step(): Steps<Result | Promise<Result>> {
    yield;
    return work();
  }
  return takeTurn(workspaceId, step());
}

/** How long turns may block the event loop. */
const HOLD_MS = 4;
/** How long one workspace's turn takes. */
const TURN_MS = 1;

/** Runs steps for one turn. Returns whether they are finished. */
type Job = (untilMs: number) => boolean;

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
      if (!job(performance.now() + TURN_MS)) jobs.add(job);
    }
    waiting.delete(workspaceId);
    if (jobs.size > 0) waiting.set(workspaceId, jobs);
  }

  return {
    run: (workspaceId, steps) =>
      new Promise((done, failed) => {
        const jobs = waiting.get(workspaceId) ?? new Set();
        waiting.set(workspaceId, jobs.add(createJob(steps, done, failed)));
        if (!isDue) setImmediate(runTurns);
        isDue = true;
      }),
  };
}

function createJob<Result>(
  steps: Steps<Result>,
  done: (result: Result) => void,
  failed: (error: unknown) => void,
): Job {
  return (untilMs) => {
    try {
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done === true) {
          done(step.value);
          return true;
        }
        if (performance.now() >= untilMs) return false;
      }
    } catch (error) {
      failed(error);
      return true;
    }
  };
}
