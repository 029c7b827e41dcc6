import type { Services } from "../kernel/context.ts";
import { repeat } from "./repeat.ts";
import { sweepDeadlines } from "./sweep-deadlines.ts";

const SWEEP_EVERY_MS = 1000;

/**
 * Handles deadlines once a second, one run after the other.
 *
 * @param now the time for deadlines. Only in tests.
 */
export function startDeadlineSweep(services: Services, now: Date | null): { stop: () => Promise<void> } {
  return repeat(services.log, {
    everyMs: SWEEP_EVERY_MS,
    run: async () => {
      await sweepDeadlines(services, now);
      return false;
    },
    failure: "deadlines could not be handled",
  });
}
