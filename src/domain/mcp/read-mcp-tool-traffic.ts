import { NOW, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { LIMITS } from "../kernel/limits.ts";
import { CALL_TOOL } from "./name-tool.ts";
import { NEWEST_DENIALS, type McpTraffic } from "./read-mcp-traffic.ts";

/** What agents did with a tool in the last 24 hours. Each is counted up to a limit. */
export type McpToolTraffic = Pick<McpTraffic, "calls" | "denials">;

/**
 * Reads the traffic of tools.
 *
 * @throws {DomainError} insufficient_scope without `mcp:read`.
 */
export async function readMcpToolTraffic(
  ctx: Ctx,
  toolIds: readonly string[],
): Promise<Map<string, McpToolTraffic>> {
  requireScope(ctx, "mcp:read");
  const rows = await ctx.read(TRAFFIC, [ctx.workspaceId, toolIds]);
  return new Map(rows.map(({ toolId, ...traffic }) => [toolId, traffic]));
}

/** Reads no more than so many calls of a tool, and so many denials of the workspace. */
const TRAFFIC = sql<McpToolTraffic & { toolId: string }>`
WITH denied AS MATERIALIZED (
  SELECT resource_id, count(*)::int AS number FROM (
    ${NEWEST_DENIALS}
  ) newest WHERE action = '${CALL_TOOL}' GROUP BY 1
)
SELECT t.id AS "toolId", c.calls, COALESCE(d.number, 0) AS denials
FROM mcp_tool t
JOIN mcp_server s ON s.workspace_id = t.workspace_id AND s.id = t.server_id
CROSS JOIN LATERAL (
  SELECT count(*)::int AS calls FROM (
    SELECT FROM mcp_call
    WHERE workspace_id = $1::uuid AND server_id = t.server_id AND tool = t.name
      AND created_at > ${NOW} - interval '24 hours'
    ORDER BY created_at DESC, id DESC LIMIT ${LIMITS.mcpCountedCalls}
  ) newest
) c
LEFT JOIN denied d ON d.resource_id = s.slug || '.' || t.name
WHERE t.workspace_id = $1::uuid AND t.id = ANY($2::uuid[])`;
