import { NOW, sql } from "../../db/sql.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import type { Task } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import { taskEvent } from "./task-event.ts";

const REQUEST = sql<Task>`
UPDATE task t SET
  cancel_requested_at = at.now, generation = t.generation + 1, updated_at = at.now
FROM (SELECT date_trunc('milliseconds', ${NOW}) AS now) at
WHERE t.workspace_id = $1::uuid AND t.claimed_by_agent_id = ANY ($2::uuid[])
  AND t.status IN ('working', 'input_required', 'auth_required') AND t.cancel_requested_at IS NULL
RETURNING ${selectList("t", TABLES.task)}`;

/**
 * Requests the cancellation of all tasks that some agents hold: their heartbeats report it, and they have
 * 30 seconds to acknowledge. The caller must prevent further claims.
 *
 * @returns what the transaction must append.
 */
export async function requestHeldTasksCancel(
  { run, ctx }: Transaction,
  agentIds: readonly string[],
): Promise<Required<Pick<AppendContent, "events" | "totals">>> {
  const tasks = await run(REQUEST, [ctx.workspaceId, agentIds]);
  return {
    events: tasks.map((task) => taskEvent("task.updated", task)),
    totals: tasks.map(({ status }) => ({ collection: "tasks" as const, from: status, to: status })),
  };
}
