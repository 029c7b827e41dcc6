import { isMissingPartition } from "../../db/database-errors.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DECISION_PARTITIONS, createDayPartitions } from "../retention/day-partitions.ts";
import type { DecisionRow } from "./decision-row.ts";
import { serializeDecision } from "./decision-span.ts";
import { INSERT_DECISIONS } from "./decision-writer.ts";

/**
 * Stores a decision in a transaction, which is run by {@link withDecisionPartition}: it is stored if and only if
 * what it permits is.
 */
export async function storeDecisionIn({ run }: Transaction, row: DecisionRow): Promise<void> {
  await run(INSERT_DECISIONS, [`[${serializeDecision(row)}]`]);
}

/** Runs a transaction that stores a decision. If the day's partition is missing, creates it and runs it again. */
export async function withDecisionPartition<Result>(ctx: Ctx, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    const day = ctx.now ?? ctx.services.live.now();
    await createDayPartitions(ctx.services.database, DECISION_PARTITIONS, day);
    return work();
  }
}
