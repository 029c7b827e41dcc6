import { type CheckpointServices, writeCheckpoints } from "./write-checkpoints.ts";

const LOOK_EVERY_MS = 300_000;
/** Less than the interval of an hour. */
const OLDER_THAN_MINUTES = 55;
const STOP_WITHIN_MS = 5000;

/**
 * Signs the audit logs that have grown, once an hour and when the server stops. Failures are logged and
 * retried.
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
      services.log.warn({ err: error }, "audit checkpoints could not be written; the next run will retry");
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
