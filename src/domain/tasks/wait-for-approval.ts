import { TABLES, selectList } from "../../db/columns.ts";
import type { Approval, Task } from "../../db/generated/client.ts";
import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import { taskEvent } from "./task-event.ts";

/**
 * Lets the task of an open approval wait for it, if the agent that asks holds the task: its lease does not expire
 * meanwhile. A task that waits for an answer waits for that first. What other agents ask changes nothing, nor does
 * it once cancellation was requested.
 *
 * @param approval is locked, or new.
 * @returns what the transaction must append.
 */
export async function waitForApproval({ run, ctx }: Transaction, approval: Approval): Promise<AppendContent> {
  const { id, decisionId, taskId, agentId } = approval;
  if (taskId === null || agentId === null) return { events: [] };
  const [task] = await run(WAIT, [ctx.workspaceId, taskId, agentId, id, decisionId]);
  if (task === undefined) return { events: [] };
  const from = task.status === "auth_required" ? "working" : task.status;
  return {
    events: [taskEvent("task.updated", task)],
    totals: [{ collection: "tasks", from, to: task.status }],
  };
}

const WAIT = sql<Task>`
UPDATE task t SET
  status = CASE t.status WHEN 'working' THEN 'auth_required' ELSE t.status END, lease_expires_at = NULL,
  approval_id = $4::uuid, decision_id = $5::uuid, generation = t.generation + 1, updated_at = at.now
FROM (SELECT date_trunc('milliseconds', ${NOW}) AS now) AS at
WHERE t.workspace_id = $1::uuid AND t.id = $2::uuid AND t.claimed_by_agent_id = $3::uuid AND t.cancel_requested_at IS NULL
  AND (t.status = 'working' AND t.lease_expires_at > at.now
    OR t.status = 'input_required' AND t.approval_id IS DISTINCT FROM $4::uuid)
RETURNING ${selectList("t", TABLES.task)}`;
