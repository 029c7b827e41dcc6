import { TABLES, selectList } from "../../db/columns.ts";
import type { Execution } from "../../db/generated/client.ts";
import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";

/** A locked execution, and the time of the transaction. */
export type LockedExecution = { execution: Execution; now: Date };

const LOCK = sql<Execution & { $now: Date }>`
SELECT ${selectList("e", TABLES.execution)}, date_trunc('milliseconds', ${NOW}) AS "$now"
FROM execution e WHERE workspace_id = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE`;

/**
 * Locks an execution's row until the transaction ends.
 *
 * @throws {DomainError} not_found.
 */
export async function lockExecution({ run, ctx }: Transaction, id: string): Promise<LockedExecution> {
  const [row] = await run(LOCK, [ctx.workspaceId, id]);
  if (row === undefined) throw createNotFoundError("execution");
  const { $now: now, ...execution } = row;
  return { execution, now };
}
