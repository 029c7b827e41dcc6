import { TABLES, selectList } from "../../db/columns.ts";
import type { Approval, Task } from "../../db/generated/client.ts";
import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import { openApprovalSql } from "./open-approval.ts";
import { taskEvent } from "./task-event.ts";

/**
 * Lets tasks go on that waited for approvals which were decided, or ended otherwise: their leases restart. A task with
 * another open approval waits for that. The approvals are locked before.
 *
 * @returns what the transaction must append.
 */
export async function followTasks(tx: Transaction, approvals: readonly Approval[]): Promise<AppendContent> {
  const ended = approvals.filter(({ status }) => status !== "pending");
  const ids = new Set(ended.flatMap(({ taskId }) => taskId ?? []));
  return ids.size === 0 ? { events: [] } : resumeTasks(tx, [...ids]);
}

/** Lets those of some tasks go on whose approvals are not open any more. @returns what the transaction must append. */
export async function resumeTasks(
  { run, ctx }: Transaction,
  ids: readonly string[],
): Promise<Required<Pick<AppendContent, "events" | "totals">>> {
  // A statement of its own: the next one sees what others decided until these were locked.
  const waiting = await run(LOCK, [ctx.workspaceId, ids]);
  const moved =
    waiting.length === 0
      ? []
      : await run(RESUME, [ctx.workspaceId, waiting.map(({ id }: { id: string }) => id)]);
  return {
    events: moved.map((task) => taskEvent("task.updated", task)),
    totals: moved.map(({ status }) => ({
      collection: "tasks" as const,
      from: "auth_required",
      to: status,
    })),
  };
}

const LOCK = sql<{ id: string }>`
SELECT id FROM task WHERE workspace_id = $1::uuid AND id = ANY ($2::uuid[]) AND status = 'auth_required'
ORDER BY id FOR UPDATE`;

const RESUME = sql<Task>`
UPDATE task t SET
  status = CASE WHEN open.id IS NULL THEN 'working' ELSE t.status END,
  approval_id = COALESCE(open.id, t.approval_id), decision_id = COALESCE(open.decision_id, t.decision_id),
  lease_expires_at = CASE WHEN open.id IS NULL THEN at.now + make_interval(secs => t.lease_seconds) END,
  generation = t.generation + 1, updated_at = at.now
FROM (SELECT date_trunc('milliseconds', ${NOW}) AS now) AS at, task held
LEFT JOIN LATERAL ${openApprovalSql("held")} open ON true
WHERE t.workspace_id = $1::uuid AND t.id = ANY ($2::uuid[])
  AND held.workspace_id = t.workspace_id AND held.id = t.id AND open.id IS DISTINCT FROM t.approval_id
RETURNING ${selectList("t", TABLES.task)}`;
