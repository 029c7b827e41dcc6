import { TABLES, selectList } from "../../db/columns.ts";
import type { Approval } from "../../db/generated/client.ts";
import { NOW, sql } from "../../db/sql.ts";
import type { ActorRecord } from "../kernel/actor.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import { LIMITS } from "../kernel/limits.ts";
import { approvalEvent } from "./approval-event.ts";

/**
 * Takes back what some agents may still do because people approved it. The caller must prevent further approvals: the
 * agents are locked.
 *
 * @returns what the transaction must append.
 */
export async function revokeApprovalsOfAgents(
  { run, ctx }: Transaction,
  { agentIds, by, reason }: { agentIds: readonly string[]; by: ActorRecord; reason: string },
): Promise<AppendContent> {
  const revoked = await run(REVOKE, [ctx.workspaceId, agentIds, JSON.stringify(by), reason]);
  return {
    events: revoked.map((approval) => approvalEvent("approval.revoked", approval)),
    totals: revoked.map(() => ({ collection: "approvals" as const, from: "approved", to: "approved" })),
  };
}

/** The bound of `decided_at` follows from that of `approved_until`, and has an index. */
const REVOKE = sql<Approval>`
UPDATE approval a SET revoked_at = at.now, revoked_by = $3::jsonb, revoked_reason = $4,
  generation = a.generation + 1, updated_at = at.now
FROM (SELECT date_trunc('milliseconds', ${NOW}) AS now) at
WHERE a.workspace_id = $1::uuid AND a.agent_id = ANY ($2::uuid[]) AND a.status = 'approved' AND a.revoked_at IS NULL
  AND a.used_count < a.uses AND a.approved_until > at.now
  AND a.decided_at > at.now - interval '${LIMITS.approvalValidSeconds.max} seconds'
RETURNING ${selectList("a", TABLES.approval)}`;
