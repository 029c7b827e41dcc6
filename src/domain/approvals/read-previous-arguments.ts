import type { Prisma } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { LIMITS } from "../kernel/limits.ts";

/**
 * Reads, for approvals that the caller has already read, the arguments of the last call of the same tool that was
 * approved before, of any agent. Approvals without one are left out, and those whose call has large arguments.
 */
export async function readPreviousArguments(
  ctx: Ctx,
  approvalIds: string[],
): Promise<ReadonlyMap<string, Prisma.JsonValue>> {
  const rows = await ctx.read(PREVIOUS, [ctx.workspaceId, approvalIds]);
  return new Map(rows.map((row) => [row.id, row.arguments]));
}

const PREVIOUS = sql<{ id: string; arguments: Prisma.JsonValue }>`
SELECT a.id, COALESCE(p.edited_arguments, p.request #> '{action,properties,arguments}') AS arguments
FROM approval a CROSS JOIN LATERAL (
  SELECT request, edited_arguments FROM approval
  WHERE workspace_id = a.workspace_id AND resource_type = a.resource_type AND resource_id = a.resource_id
    AND action = a.action AND status = 'approved' AND created_at < a.created_at
  ORDER BY created_at DESC LIMIT 1
) p
WHERE a.workspace_id = $1::uuid AND a.id = ANY($2::uuid[])
  AND COALESCE(pg_column_size(p.edited_arguments), pg_column_size(p.request)) <= ${LIMITS.previousArgumentsBytes}`;
