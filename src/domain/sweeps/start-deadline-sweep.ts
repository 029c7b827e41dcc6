import type { Services } from "../kernel/context.ts";
import { sweepDeadlines } from "./sweep-deadlines.ts";

const SWEEP_EVERY_MS = 1000;

/**
 * Works deadlines once a second, one sweep after the other. What fails is logged once and tried again.
 *
 * @param now tests only: the time that deadlines are held against.
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
      if (!failing) services.log.warn({ err: error }, "deadlines could not be worked and are tried again");
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
