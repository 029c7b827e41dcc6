import type { Services } from "../kernel/context.ts";
import { sweepDeadlines } from "./sweep-deadlines.ts";

const SWEEP_EVERY_MS = 1000;

/**
 * Handles deadlines once a second, one run after the other. A failure is logged once and retried.
 *
 * @param now the time for deadlines. Only in tests.
 */
export function startDeadlineSweep(services: Services, now: Date | null): { stop: () => Promise<void> } {
  let failing = false;
  let running = Promise.resolve();
  let timer = setTimeout(next, SWEEP_EVERY_MS);
  function next(): void {
    running = sweep().then(() => {
      timer = setTimeout(next, SWEEP_EVERY_MS);
    });
  }
  async function sweep(): Promise<void> {
    try {
      await sweepDeadlines(services, now);
      failing = false;
    } catch (error) {
      if (!failing)
        services.log.warn({ err: error }, "deadlines could not be handled; the next run will retry");
      failing = true;
    }
  }
  return {
    stop: async () => {
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
    },
  };
}
