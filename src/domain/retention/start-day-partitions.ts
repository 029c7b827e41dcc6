import type { Services } from "../kernel/services.ts";
import { repeat } from "../sweeps/repeat.ts";
import {
  DECISION_PARTITIONS,
  TRACE_PARTITIONS,
  createDayPartitions,
  dropOldDayPartitions,
} from "./day-partitions.ts";

const EVERY_MS = 3_600_000;

/** Creates the partitions of the coming week, and deletes those that are too old: at once, then once an hour. */
export function startDayPartitions(services: Services): { stop: () => Promise<void> } {
  const { database, live, log } = services;
  return repeat(services, {
    name: "day_partitions",
    everyMs: EVERY_MS,
    startsAtOnce: true,
    run: async () => {
      const now = live.now();
      for (const table of [DECISION_PARTITIONS, ...TRACE_PARTITIONS]) {
        await createDayPartitions(database, table, now);
        const dropped = await dropOldDayPartitions(database, table, now);
        if (dropped > 0) log.debug({ dropped, table: table.name }, "deleted old partitions");
      }
      return false;
    },
    failure: "the partitions of days could not be kept",
  });
}
