import { type CheckpointServices, writeCheckpoints } from "./write-checkpoints.ts";

const LOOK_EVERY_MS = 300_000;
/** With the time between two looks, an hour. */
const OLDER_THAN_MINUTES = 55;
const STOP_WITHIN_MS = 5000;

/**
 * Signs the audit log of every workspace where it has grown, once an hour and at the stop. What fails is
 * logged and tried again.
 */
export function startCheckpoints(services: CheckpointServices): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  let running = look(OLDER_THAN_MINUTES, stopping.signal);
  const timer = setInterval(() => {
    running = running.then(() => look(OLDER_THAN_MINUTES, stopping.signal));
  }, LOOK_EVERY_MS);

  async function look(olderThanMinutes: number, signal: AbortSignal): Promise<void> {
    try {
      await writeCheckpoints(services, { olderThanMinutes, signal });
    } catch (error) {
      services.log.warn({ err: error }, "audit checkpoints could not be written and are tried again");
    }
  }

  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
      await look(0, AbortSignal.timeout(STOP_WITHIN_MS));
    },
  };
}
