import { isMissingPartition } from "../../db/database-errors.ts";
import type { Ctx } from "../kernel/context.ts";
import { TRACE_PARTITIONS, createDayPartitions } from "../retention/day-partitions.ts";

/** If the partition of one of the days is missing, creates it and runs the work again, which may add days. */
export async function withTracePartitions<Result>(
  ctx: Ctx,
  days: ReadonlySet<string>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    for (const table of TRACE_PARTITIONS) {
      for (const day of days) await createDayPartitions(ctx.services.database, table, new Date(day));
    }
    return work();
  }
}
