import type { Services } from "../kernel/services.ts";
import { type Cleanup, cleanUp } from "./clean-up.ts";
import { repeat } from "./repeat.ts";

const CLEAN_UP_EVERY_MS = 60_000;

/** Runs cleanups once a minute, and without a pause while there is a backlog. */
export function startCleanUp(
  services: Services,
  cleanups: readonly Cleanup[],
): { stop: () => Promise<void> } {
  const { log, measures } = services;
  return repeat(services, {
    name: "cleanups",
    everyMs: CLEAN_UP_EVERY_MS,
    run: async () => {
      const { deleted, failures, hasMore } = await cleanUp(services, cleanups);
      for (const [cleanup, rows] of Object.entries(deleted)) measures.deleted(cleanup, rows);
      log.debug({ deleted, hasMore }, "deleted old rows");
      if (failures.length > 0)
        log.warn(
          { err: new AggregateError(failures) },
          "some old rows could not be deleted and will be retried",
        );
      return hasMore;
    },
    failure: "old rows could not be deleted",
  });
}
