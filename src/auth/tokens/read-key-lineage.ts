import { sql } from "../../db/sql.ts";
import type { Ctx, Urgency } from "../../domain/kernel/context.ts";

/** Reads the ids of all keys in an API key's lineage, including itself. */
export async function readKeyLineage(ctx: Ctx, apiKeyId: string, urgency?: Urgency): Promise<string[]> {
  const keys = await ctx.read(LINEAGE, [ctx.workspaceId, apiKeyId], urgency);
  return keys.map(({ id }) => id);
}

const LINEAGE = sql<{ id: string }>`
SELECT k.id FROM api_key k JOIN api_key own ON own.workspace_id = k.workspace_id AND own.lineage_id = k.lineage_id
WHERE own.workspace_id = $1::uuid AND own.id = $2::uuid`;
