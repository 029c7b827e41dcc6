import { sql } from "../../db/sql.ts";
import type { Task } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";

/** SQL for the approval, `(id, decision_id)`, that the holder of a task waits for; rather the one that it names. */
export function openApprovalSql(task: string): string {
  return `(
  SELECT a.id, a.decision_id FROM approval a
  WHERE a.workspace_id = ${task}.workspace_id AND a.task_id = ${task}.id AND a.agent_id = ${task}.claimed_by_agent_id
    AND a.status = 'pending'
  ORDER BY a.id IS DISTINCT FROM ${task}.approval_id, a.created_at, a.id LIMIT 1)`;
}

/** Finds the approval that the holder of a locked task waits for. Null without one. */
export async function findOpenApproval(
  { run, ctx }: Transaction,
  { id, approvalId }: Pick<Task, "id" | "approvalId">,
): Promise<{ approvalId: string; decisionId: string } | null> {
  if (approvalId === null) return null;
  const [open] = await run(FIND, [ctx.workspaceId, id]);
  return open ?? null;
}

const FIND = sql<{ approvalId: string; decisionId: string }>`
SELECT open.id AS "approvalId", open.decision_id AS "decisionId"
FROM task t CROSS JOIN LATERAL ${openApprovalSql("t")} open
WHERE t.workspace_id = $1::uuid AND t.id = $2::uuid`;
