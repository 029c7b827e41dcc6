import type { Logger } from "pino";

/** Work that is done again and again. */
export type RepeatedWork = {
  everyMs: number;
  /** @returns true to be run again at once. */
  run: () => Promise<boolean>;
  /** The log message of a failure. */
  failure: string;
};

/**
 * Runs work again and again, one run after the other, first after `everyMs`. A failure is logged once and
 * retried.
 */
export function repeat(log: Logger, { everyMs, run, failure }: RepeatedWork): { stop: () => Promise<void> } {
  let isFailing = false;
  let isStopped = false;
  let running = Promise.resolve();
  let timer = setTimeout(next, everyMs);
  function next(): void {
    running = tryRun().then((isAgain) => {
      if (!isStopped) timer = setTimeout(next, isAgain ? 0 : everyMs);
    });
  }
  async function tryRun(): Promise<boolean> {
    try {
      const isAgain = await run();
      isFailing = false;
      return isAgain;
    } catch (error) {
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
