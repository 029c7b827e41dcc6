import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";

/**
 * Forgets the sums of a workspace's tasks, which are then added from the beginning: for a transaction that writes tasks
 * of the past.
 */
export async function forgetTaskSums(tx: Transaction): Promise<void> {
  // Locks the place, or makes it, until the transaction ends, so that nothing is added before.
  await tx.run(RESET, [tx.ctx.workspaceId]);
  await tx.run(DELETE, [tx.ctx.workspaceId]);
}

const RESET = sql`
INSERT INTO task_sum_place (workspace_id, until) VALUES ($1::uuid, '-infinity')
ON CONFLICT (workspace_id) DO UPDATE SET until = '-infinity'`;

const DELETE = sql`DELETE FROM task_sum WHERE workspace_id = $1::uuid`;
