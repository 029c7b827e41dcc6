import { NOW, sql } from "../../db/sql.ts";
import type { Ctx } from "../../domain/kernel/context.ts";

/** Has a server asked for its tools soon, because it says that they have changed: about once a minute at most. */
export async function requestToolRefresh(ctx: Ctx, serverId: string): Promise<void> {
  await ctx.run(REQUEST, [ctx.workspaceId, serverId]);
}

const REQUEST = sql`
UPDATE mcp_server SET tools_due_at = GREATEST(${NOW}, tools_read_at + interval '1 minute')
WHERE workspace_id = $1::uuid AND id = $2::uuid
  AND tools_due_at > GREATEST(${NOW}, tools_read_at + interval '1 minute')`;
