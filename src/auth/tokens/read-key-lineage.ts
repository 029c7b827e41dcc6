import type { Ctx } from "../../domain/kernel/context.ts";

/** Reads the ids of all keys in an API key's lineage, including itself. */
export async function readKeyLineage(ctx: Ctx, apiKeyId: string, read = ctx.read): Promise<string[]> {
  const keys = await read<{ id: string }>(LINEAGE, [ctx.workspaceId, apiKeyId]);
  return keys.map(({ id }) => id);
}

const LINEAGE = {
  name: "key_lineage",
  text: `
SELECT k.id FROM api_key k JOIN api_key own ON own.workspace_id = k.workspace_id AND own.lineage_id = k.lineage_id
WHERE own.workspace_id = $1::uuid AND own.id = $2::uuid`,
};
