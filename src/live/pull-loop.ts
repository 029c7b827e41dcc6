import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";

/** Runs a pull, one at a time. */
export type PullLoop = {
  /** Pulls these workspaces as soon as the running pull has ended. */
  wake: (workspaceIds: Iterable<string>) => void;
  stop: () => Promise<void>;
};

/** The least interval. Under load, one pull covers many commits, and one write many events. */
const GAP_MS = 5;

/** A failed pull is retried at the next wake-up. */
export function createPullLoop(
  pull: (workspaceIds: ReadonlySet<string>) => Promise<void>,
  log: Logger,
): PullLoop {
  let due = new Set<string>();
  let pulling: Promise<void> | null = null;
  let stopped = false;

  async function run(): Promise<void> {
    try {
      while (due.size > 0) {
        if (stopped) return;
        const asked = due;
        due = new Set();
        await pull(asked);
        await pause(GAP_MS);
      }
    } catch (error) {
      log.debug({ err: error }, "events can't be read at the moment");
    } finally {
      pulling = null;
    }
  }

  return {
    wake: (workspaceIds) => {
      for (const workspaceId of workspaceIds) due.add(workspaceId);
      if (due.size > 0 && !stopped) pulling ??= run();
    },
    stop: async () => {
      stopped = true;
      await pulling;
    },
  };
}
