import { TABLES, selectList } from "../../db/columns.ts";
import type { Approval } from "../../db/generated/client.ts";
import { NOW, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { append } from "../kernel/events.ts";
import { followApprovals } from "./follow-approvals.ts";
import type { FairTurns } from "../sweeps/fair-turns.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { approvalEvent } from "./approval-event.ts";

/** Rows per transaction: few, because the workspace's head is locked meanwhile. */
const BATCH = 100;

/** The workspaces that have some. */
export const APPROVALS_DUE = sql<{ id: string }>`
SELECT DISTINCT workspace_id AS id FROM approval WHERE status = 'pending' AND expires_at <= ${NOW}`;

const EXPIRE = sql<Approval>`
WITH due AS MATERIALIZED (
  SELECT id, at.now FROM approval, (SELECT date_trunc('milliseconds', ${NOW}) AS now) AS at
  WHERE workspace_id = $1::uuid AND status = 'pending' AND expires_at <= at.now
  ORDER BY expires_at LIMIT ${BATCH} FOR NO KEY UPDATE OF approval SKIP LOCKED
)
UPDATE approval a SET status = 'expired', decided_at = due.now, generation = a.generation + 1, updated_at = due.now
FROM due
WHERE a.workspace_id = $1::uuid AND a.id = due.id RETURNING ${selectList("a", TABLES.approval)}`;

/**
 * Ends the approvals that nobody decided in time, and the orders that wait for them. Any number of nodes may run it at
 * once.
 *
 * @returns their number.
 */
export async function sweepApprovals(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<number> {
  return sweepWorkspaces(services, { now, turns }, { due: APPROVALS_DUE, batch: sweepBatch });
}

async function sweepBatch(ctx: Ctx): Promise<number> {
  return ctx.transaction(async (tx) => {
    const expired = await tx.run(EXPIRE, [ctx.workspaceId]);
    if (expired.length > 0) {
      append(tx, {
        events: expired.map((approval) => approvalEvent("approval.expired", approval)),
        totals: expired.map(() => ({ collection: "approvals", from: "pending", to: "expired" })),
      });
      append(tx, await followApprovals(tx, expired));
    }
    return expired.length;
  });
}
