import { TABLES, selectList } from "../../db/columns.ts";
import type { EvalRun } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";

/** A run as it is while its row is locked, and the time of the transaction. */
export type LockedEvalRun = { run: EvalRun; now: Date };

const LOCK = `
SELECT ${selectList("r", TABLES.evalRun)}, date_trunc('milliseconds', COALESCE($3::timestamptz, now())) AS "$now"
FROM eval_run r WHERE workspace_id = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE`;

/**
 * Locks a run's row until the transaction ends: what is written of its results comes after it.
 *
 * @throws {DomainError} not_found.
 */
export async function lockEvalRun({ db, ctx }: Transaction, id: string): Promise<LockedEvalRun> {
  const values = [ctx.workspaceId, id, ctx.now];
  const [row] = await db.$queryRawUnsafe<(EvalRun & { $now: Date })[]>(LOCK, ...values);
  if (row === undefined) throw createNotFoundError("evaluation run");
  const { $now: now, ...run } = row;
  return { run, now };
}
