import type { Logger } from "pino";

/** Work that is done again and again. */
export type RepeatedWork = {
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
  log: Logger,
  { everyMs, startsAtOnce = false, run, failure }: RepeatedWork,
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
