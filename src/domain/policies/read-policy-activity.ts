import { NOW, allowLag, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { LIMITS } from "../kernel/limits.ts";

/** How often a policy's condition held, of late. */
export type PolicyActivity = {
  policyId: string;
  /** While it was enforced, and while it was monitored. */
  hits: number;
  wouldHits: number;
  lastMatchAt: Date | null;
};

/** Reads the activity of policies that the caller has already read. Policies without any are left out. */
export async function readPolicyActivity(ctx: Ctx, ids: string[]): Promise<Map<string, PolicyActivity>> {
  const rows = await ctx.read(ACTIVITY, [ctx.workspaceId, ids]);
  return new Map(rows.map((row) => [row.policyId, row]));
}

const ACTIVITY = allowLag(sql<PolicyActivity>`
SELECT policy_id AS "policyId", sum(hits)::int AS hits, sum(would_hits)::int AS "wouldHits",
  max(last_at) AS "lastMatchAt"
FROM policy_sum
WHERE workspace_id = $1::uuid AND policy_id = ANY($2::uuid[]) AND seconds = 3600
  AND at > ${NOW} - interval '${LIMITS.policyActivityDays} days' GROUP BY policy_id`);
