import { share, sql } from "../../db/sql.ts";
import type { TaskStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";

/**
 * Reads the stored counts of the workspace's tasks by status.
 *
 * @throws {DomainError} insufficient_scope without `tasks:read`.
 */
export async function readTaskCounts(ctx: Ctx): Promise<Partial<Record<TaskStatus, number>>> {
  requireScope(ctx, "tasks:read");
  const rows = await ctx.read(COUNTS, [ctx.workspaceId]);
  return Object.fromEntries(rows.map(({ facet, total }) => [facet, total]));
}

const COUNTS = share(sql<{ facet: string; total: number }>`
SELECT facet, total FROM collection_total
WHERE workspace_id = $1::uuid AND collection = 'tasks' AND facet <> 'all'`);
