import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";

/** Looks for what is new, one look after the other. */
export type PullLoop = {
  /** Looks in these workspaces as soon as the look that runs has ended. */
  wake: (workspaceIds: Iterable<string>) => void;
  stop: () => Promise<void>;
};

/** Between looks: under load one brings what many commits wrote, and one write what many events say. */
const GAP_MS = 5;

/** Makes a loop around a pull. One that fails is left to whoever wakes next. */
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
      log.debug({ err: error }, "events can't be read at this moment");
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
