import type { Services } from "../kernel/services.ts";

/** Work that is done again and again. */
export type RepeatedWork = {
  /** The job's label in metrics. */
  name: string;
  everyMs: number;
  /** Whether it is run at once, and not first after `everyMs`. */
  startsAtOnce?: boolean;
  /** @returns true to be run again at once. */
  run: () => Promise<boolean>;
  /** The log message of a failure. */
  failure: string;
};

/**
 * Runs work again and again, one run after the other. A failure is logged once and
 * retried.
 */
export function repeat(
  { log, measures }: Pick<Services, "log" | "measures">,
  { name, everyMs, startsAtOnce = false, run, failure }: RepeatedWork,
): { stop: () => Promise<void> } {
  let isFailing = false;
  let isStopped = false;
  let running = Promise.resolve();
  let timer = setTimeout(next, startsAtOnce ? 0 : everyMs);
  function next(): void {
    running = tryRun().then((isAgain) => {
      if (!isStopped) timer = setTimeout(next, isAgain ? 0 : everyMs);
    });
  }
  async function tryRun(): Promise<boolean> {
    const startMs = performance.now();
    function note(isSuccess: boolean): void {
      measures.ran(name, { isSuccess, seconds: (performance.now() - startMs) / 1000 });
    }
    try {
      const isAgain = await run();
      note(true);
      isFailing = false;
      return isAgain;
    } catch (error) {
      note(false);
      if (!isFailing) log.warn({ err: error }, `${failure}; the next run will retry`);
      isFailing = true;
      return false;
    }
  }
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
