import { TABLES, selectList } from "../../db/columns.ts";
import type { McpServer } from "../../db/generated/client.ts";
import type { McpToolStatus } from "../../db/generated/enums.ts";
import { share, sql } from "../../db/sql.ts";
import type { ToolProblem } from "../gateway-checks/decide-request.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { isObject } from "../kernel/is-object.ts";
import { onlyTaskSql } from "../tasks/only-task.ts";
import { toToolId } from "./name-tool.ts";
import { requireEnabled, requireServerCaller } from "./require-callable-server.ts";

/** A tool of a server: as an admin has approved it, or with why nobody may call it. */
export type PinnedTool = {
  name: string;
  definition: unknown;
  /** Of the definition, in hex. */
  hash: string;
  problem: ToolProblem | null;
  /** What was stored of it for policies. */
  properties: Record<string, unknown>;
};

/** A tool that the calling agent wants to call, and the task that it works on; null if it holds none, or more than one. */
export type CallableTool = { server: McpServer; tool: PinnedTool; onlyTaskId: string | null };

/**
 * Finds a tool of a server.
 *
 * @throws {DomainError} as `requireCallableServer`; validation_failed if the server has no such tool.
 */
export async function findCallableTool(
  ctx: Ctx,
  { slug, name }: { slug: string; name: string },
): Promise<CallableTool> {
  const { id: agentId } = requireServerCaller(ctx);
  const [row] = await ctx.read(FIND, [ctx.workspaceId, slug, name, toToolId(slug, name), agentId]);
  const { $status: status = null, $definition, $hash, $properties, $onlyTaskId, ...server } = row ?? {};
  const enabled = requireEnabled(row === undefined ? null : (server as McpServer));
  if (status === null) throw createFieldError("name", "is no tool of this MCP server");
  const properties = isObject($properties) ? $properties : {};
  return {
    server: enabled,
    tool: { name, definition: $definition, hash: $hash ?? "", problem: findProblem(status), properties },
    onlyTaskId: $onlyTaskId ?? null,
  };
}

type Row = McpServer & {
  $status: McpToolStatus | null;
  $definition: unknown;
  $hash: string | null;
  $properties: unknown;
  $onlyTaskId: string | null;
};

const FIND = share(
  sql<Row>`
SELECT ${selectList("s", TABLES.mcpServer)}, t.status::text AS "$status", t.approved_definition AS "$definition",
  encode(CASE t.status WHEN 'approved' THEN t.approved_hash ELSE t.hash END, 'hex') AS "$hash", e.properties AS "$properties",
  ${onlyTaskSql("s.workspace_id", "$5::uuid")} AS "$onlyTaskId"
FROM mcp_server s
LEFT JOIN mcp_tool t ON t.workspace_id = s.workspace_id AND t.server_id = s.id AND t.name = $3
LEFT JOIN gateway_entity e ON e.workspace_id = s.workspace_id AND e.type = 'tool' AND e.entity_id = $4
WHERE s.workspace_id = $1::uuid AND s.slug = $2`,
);

function findProblem(status: McpToolStatus): ToolProblem | null {
  if (status === "approved") return null;
  return status === "blocked" ? "tool_blocked" : "tool_unreviewed";
}
