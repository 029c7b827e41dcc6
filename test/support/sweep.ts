import type { Services } from "../../src/domain/kernel/services.ts";
import { createRetentionCleanups } from "../../src/domain/retention/retention-cleanups.ts";
import { type Cleanup, cleanUp } from "../../src/domain/sweeps/clean-up.ts";
import { createExpiredRowCleanups } from "../../src/domain/sweeps/expired-row-cleanups.ts";

/** Deletes all rows beyond retention, as a server does when it starts. @returns the number of deleted rows. */
export async function sweepRetention(services: Services, now: Date | null = null): Promise<number> {
  const deleted = await runAll(services, createRetentionCleanups(services, now));
  return Object.values(deleted).reduce((sum, count) => sum + count, 0);
}

/** Deletes all expired rows. @returns the numbers of deleted rows, by their tables. */
export async function sweepExpiredRows(services: Services): Promise<Record<string, number>> {
  return runAll(services, createExpiredRowCleanups(services));
}

/** @throws {AggregateError} if one failed. */
async function runAll(services: Services, cleanups: Cleanup[]): Promise<Record<string, number>> {
  const { deleted, failures, hasMore } = await cleanUp(services, cleanups);
  if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join());
  if (hasMore) throw new Error("the sweep did not come to an end");
  return deleted;
}
