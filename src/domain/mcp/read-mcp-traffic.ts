import { NOW, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { LIMITS } from "../kernel/limits.ts";
import { CALL_TOOL } from "./name-tool.ts";

/** What agents did with a server in the last 24 hours. Each is counted up to a limit. */
export type McpTraffic = {
  calls: number;
  /** Calls that policies denied. */
  denials: number;
  /** Calls that wait for people now. */
  held: number;
  /** How long the newest calls took; null without any. */
  p95Ms: number | null;
};

/**
 * Reads the traffic of servers.
 *
 * @throws {DomainError} insufficient_scope without `mcp:read`.
 */
export async function readMcpTraffic(
  ctx: Ctx,
  serverIds: readonly string[],
): Promise<Map<string, McpTraffic>> {
  requireScope(ctx, "mcp:read");
  const rows = await ctx.read(TRAFFIC, [ctx.workspaceId, serverIds]);
  return new Map(rows.map(({ serverId, ...traffic }) => [serverId, traffic]));
}

const CALLS = LIMITS.mcpCountedCalls;
const OTHERS = LIMITS.mcpCountedDenials;
/** Of a tool, the server's name in policies. */
const SLUG = "split_part(resource_id, '.', 1)";

/** What was denied in the workspace `$1` in the last 24 hours, up to a limit. */
export const NEWEST_DENIALS = `
SELECT action, resource_id FROM decision
WHERE workspace_id = $1::uuid AND outcome = 'deny' AND created_at > ${NOW} - interval '24 hours'
ORDER BY created_at DESC, id DESC LIMIT ${OTHERS}`;

/** Reads no more than so many calls of a server, and so many denials and questions of the workspace. */
const TRAFFIC = sql<McpTraffic & { serverId: string }>`
WITH denied AS MATERIALIZED (
  SELECT ${SLUG} AS slug, count(*)::int AS number FROM (
    ${NEWEST_DENIALS}
  ) newest WHERE action = '${CALL_TOOL}' GROUP BY 1
),
held AS MATERIALIZED (
  SELECT ${SLUG} AS slug, count(*)::int AS number FROM (
    SELECT action, resource_id FROM approval WHERE workspace_id = $1::uuid AND status = 'pending'
    ORDER BY created_at DESC, id DESC LIMIT ${OTHERS}
  ) newest WHERE action = '${CALL_TOOL}' GROUP BY 1
)
SELECT s.id AS "serverId", c.calls, COALESCE(d.number, 0) AS denials, COALESCE(h.number, 0) AS held, c.p95 AS "p95Ms"
FROM mcp_server s CROSS JOIN LATERAL (
  SELECT count(*)::int AS calls, percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) AS p95 FROM (
    SELECT duration_ms FROM mcp_call
    WHERE workspace_id = $1::uuid AND server_id = s.id AND created_at > ${NOW} - interval '24 hours'
    ORDER BY created_at DESC, id DESC LIMIT ${CALLS}
  ) newest
) c
LEFT JOIN denied d ON d.slug = s.slug
LEFT JOIN held h ON h.slug = s.slug
WHERE s.workspace_id = $1::uuid AND s.id = ANY($2::uuid[])`;
