import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { LIMITS } from "../kernel/limits.ts";

/**
 * Lists the names of queues with tasks, in alphabetical order, at most `LIMITS.listedQueues`.
 *
 * @throws {DomainError} insufficient_scope without `tasks:read`.
 */
export async function listQueues(ctx: Ctx): Promise<string[]> {
  requireScope(ctx, "tasks:read");
  const queues = await ctx.read(QUEUES, [ctx.workspaceId]);
  return queues.map(({ name }) => name);
}

/** Goes from each name to the next one in the index, however many tasks have it. */
const QUEUES = sql<{ name: string }>`
WITH RECURSIVE queue(name, place) AS (
  (SELECT queue, 1 FROM task WHERE workspace_id = $1::uuid ORDER BY queue LIMIT 1)
  UNION ALL
  SELECT next.queue, queue.place + 1 FROM queue CROSS JOIN LATERAL (
    SELECT t.queue FROM task t WHERE t.workspace_id = $1::uuid AND t.queue > queue.name ORDER BY t.queue LIMIT 1
  ) next
  WHERE queue.place < ${LIMITS.listedQueues}
)
SELECT name FROM queue ORDER BY name`;
