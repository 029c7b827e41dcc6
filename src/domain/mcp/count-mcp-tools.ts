import { sql } from "../../db/sql.ts";
import type { McpToolStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";

/** How many tools of a server have each status. */
export type McpToolCounts = Record<McpToolStatus, number>;

/**
 * Counts the tools of servers. Those without tools are missing.
 *
 * @throws {DomainError} insufficient_scope without `mcp:read`.
 */
export async function countMcpTools(
  ctx: Ctx,
  serverIds: readonly string[],
): Promise<Map<string, McpToolCounts>> {
  requireScope(ctx, "mcp:read");
  const rows = await ctx.read(COUNT, [ctx.workspaceId, serverIds]);
  return new Map(rows.map(({ serverId, ...counts }) => [serverId, counts]));
}

/** A server has at most 500. */
const COUNT = sql<McpToolCounts & { serverId: string }>`
SELECT server_id AS "serverId",
  count(*) FILTER (WHERE status = 'pending')::int AS pending,
  count(*) FILTER (WHERE status = 'approved')::int AS approved,
  count(*) FILTER (WHERE status = 'changed')::int AS changed,
  count(*) FILTER (WHERE status = 'blocked')::int AS blocked,
  count(*) FILTER (WHERE status = 'gone')::int AS gone
FROM mcp_tool WHERE workspace_id = $1::uuid AND server_id = ANY($2::uuid[])
GROUP BY server_id`;
