import type { Services } from "../kernel/context.ts";
import { repeat } from "../sweeps/repeat.ts";
import { createDecisionPartitions, dropOldDecisionPartitions } from "./decision-partitions.ts";

const EVERY_MS = 3_600_000;

/** Creates the partitions of the coming week, and deletes those that are too old: at once, then once an hour. */
export function startDecisionPartitions({ database, live, log }: Services): { stop: () => Promise<void> } {
  return repeat(log, {
    everyMs: EVERY_MS,
    startsAtOnce: true,
    run: async () => {
      const now = live.now();
      await createDecisionPartitions(database, now);
      const dropped = await dropOldDecisionPartitions(database, now);
      if (dropped > 0) log.debug({ dropped }, "deleted old decisions");
      return false;
    },
    failure: "the partitions of decisions could not be kept",
  });
}
