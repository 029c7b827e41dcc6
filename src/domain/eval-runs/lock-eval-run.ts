import { NOW, sql } from "../../db/sql.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import type { EvalRun } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";

/** A locked run, and the time of the transaction. */
export type LockedEvalRun = { run: EvalRun; now: Date };

const LOCK = sql<EvalRun & { $now: Date }>`
SELECT ${selectList("r", TABLES.evalRun)}, date_trunc('milliseconds', ${NOW}) AS "$now"
FROM eval_run r WHERE workspace_id = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE`;

/**
 * Locks a run's row until the transaction ends. Results are only written under this lock.
 *
 * @throws {DomainError} not_found.
 */
export async function lockEvalRun(tx: Transaction, id: string): Promise<LockedEvalRun> {
  const [row] = await tx.run(LOCK, [tx.ctx.workspaceId, id]);
  if (row === undefined) throw createNotFoundError("evaluation run");
  const { $now: now, ...run } = row;
  return { run, now };
}
