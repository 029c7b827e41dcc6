import type { Services } from "../kernel/services.ts";
import { repeat } from "./repeat.ts";
import { sweepDeadlines } from "./sweep-deadlines.ts";
import { createSweepTurns } from "./sweep-workspaces.ts";

const SWEEP_EVERY_MS = 1000;

/**
 * Handles deadlines once a second. A workspace that is slow or locked does not delay the others.
 *
 * @param now the time for deadlines. Only in tests.
 */
export function startDeadlineSweep(services: Services, now: Date | null): { stop: () => Promise<void> } {
  const turns = { shared: createSweepTurns(), apart: createSweepTurns() };
  const loop = repeat(services, {
    name: "deadlines",
    everyMs: SWEEP_EVERY_MS,
    run: async () => {
      await sweepDeadlines(services, now, turns);
      return false;
    },
    failure: "deadlines could not be handled",
  });
  return {
    stop: async () => {
      await loop.stop();
      await Promise.all([turns.shared.settle(), turns.apart.settle()]);
    },
  };
}
