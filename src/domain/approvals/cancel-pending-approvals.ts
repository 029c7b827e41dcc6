import { TABLES, selectList } from "../../db/columns.ts";
import type { Approval } from "../../db/generated/client.ts";
import { type Statement, NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { followApprovals } from "./follow-approvals.ts";
import { approvalEvent } from "./approval-event.ts";

/** What a transaction that cancels approvals must append. */
type Cancelled = Required<Pick<AppendContent, "events" | "totals">>;

function cancelWhere(condition: string): Statement<Approval> {
  return sql<Approval>`
UPDATE approval a SET status = 'cancelled', decided_at = at.now, generation = a.generation + 1, updated_at = at.now
FROM (SELECT date_trunc('milliseconds', ${NOW}) AS now) at
WHERE a.workspace_id = $1::uuid AND a.status = 'pending' AND ${condition}
RETURNING ${selectList("a", TABLES.approval)}`;
}

const CANCEL_OF_AGENTS = cancelWhere(`(a.agent_id = ANY ($2::uuid[]) OR EXISTS (
  SELECT FROM agent_command c WHERE c.workspace_id = $1::uuid AND c.id = a.command_id AND c.agent_id = ANY ($2::uuid[])
) OR EXISTS (
  SELECT FROM mission m WHERE m.workspace_id = $1::uuid AND m.id = a.mission_id
    AND (m.requested_robot_id = ANY ($2::uuid[]) OR m.allowed_robot_ids && $2::uuid[])))`);
const CANCEL_OF_TASK = cancelWhere(`a.id IN (
  SELECT id FROM approval WHERE workspace_id = $1::uuid AND task_id = $2::uuid AND status = 'pending'
  FOR NO KEY UPDATE SKIP LOCKED)`);
const CANCEL_ASKED_BY = cancelWhere(
  "EXISTS (SELECT 1 FROM jsonb_array_elements(a.asked_by) p WHERE p ->> 'id' = ANY ($2::text[]))",
);

/**
 * Cancels what some agents ask people, and what people are asked about commands to them and missions for them. The
 * caller must prevent further questions: the agents are locked.
 */
export async function cancelApprovalsOfAgents(
  tx: Transaction,
  agentIds: readonly string[],
): Promise<Cancelled> {
  return cancel(tx, CANCEL_OF_AGENTS, agentIds);
}

/**
 * Cancels what is asked for a task. The task is locked, which comes after its approvals: what others decide at the
 * moment is left to them.
 */
export async function cancelApprovalsOfTask(tx: Transaction, taskId: string): Promise<Cancelled> {
  return cancel(tx, CANCEL_OF_TASK, taskId);
}

/** Cancels what policies ask that are changed or deleted: their answer would be to another question. */
export async function cancelApprovalsAskedBy(
  tx: Transaction,
  policyIds: readonly string[],
): Promise<Cancelled> {
  return cancel(tx, CANCEL_ASKED_BY, policyIds);
}

async function cancel(tx: Transaction, statement: Statement<Approval>, value: unknown): Promise<Cancelled> {
  const approvals = await tx.run(statement, [tx.ctx.workspaceId, value]);
  const cancelled = {
    events: approvals.map((approval) => approvalEvent("approval.cancelled", approval)),
    totals: approvals.map(() => ({ collection: "approvals" as const, from: "pending", to: "cancelled" })),
  };
  return mergeAppends(cancelled, await followApprovals(tx, approvals));
}
