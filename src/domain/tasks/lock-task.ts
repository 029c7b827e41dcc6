import { NOW, sql } from "../../db/sql.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import type { Task } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError, createNotFoundError } from "../kernel/errors.ts";

/** A locked task, and the time of the transaction. */
export type LockedTask = { task: Task; now: Date };

const LOCK = sql<Task & { $now: Date }>`
SELECT ${selectList("t", TABLES.task)}, date_trunc('milliseconds', ${NOW}) AS "$now"
FROM task t WHERE workspace_id = $1::uuid AND id = $2::uuid FOR UPDATE`;

/**
 * Locks a task's row until the transaction ends.
 *
 * @throws {DomainError} not_found.
 */
export async function lockTask({ run, ctx }: Transaction, id: string): Promise<LockedTask> {
  const [row] = await run(LOCK, [ctx.workspaceId, id]);
  if (row === undefined) throw createNotFoundError("task");
  const { $now: now, ...task } = row;
  return { task, now };
}

const LOCK_HOLDER = sql`
SELECT 1 FROM agent WHERE workspace_id = $1::uuid
  AND id = (SELECT claimed_by_agent_id FROM task WHERE workspace_id = $1::uuid AND id = $2::uuid) FOR NO KEY UPDATE`;

/**
 * {@link lockTask} for commands to the task's holder: locks the holder's agent first, as stopping an agent
 * does.
 */
export async function lockTaskAndHolder(tx: Transaction, id: string): Promise<LockedTask> {
  await tx.run(LOCK_HOLDER, [tx.ctx.workspaceId, id]);
  return lockTask(tx, id);
}

/**
 * Checks a task's generation.
 *
 * @throws {DomainError} precondition_failed if it is none of the given ones.
 */
export function requireTaskGeneration(
  { generation }: Task,
  known: readonly number[] | null | undefined,
): void {
  if (known === null || known === undefined || known.includes(generation)) return;
  throw new DomainError(
    "precondition_failed",
    `The task has changed: its generation is ${generation}. Read it again.`,
  );
}
