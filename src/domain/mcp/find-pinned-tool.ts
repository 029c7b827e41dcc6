import type { McpServer, McpTool } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError, createFieldError } from "../kernel/errors.ts";

/**
 * Finds a tool of a server that agents may call.
 *
 * @throws {DomainError} validation_failed if there is no such tool; forbidden if no admin has approved it as it is.
 */
export async function findPinnedTool(ctx: Ctx, server: McpServer, name: string): Promise<McpTool> {
  const { workspaceId } = ctx;
  const where = { workspaceId_serverId_name: { workspaceId, serverId: server.id, name } };
  const tool = await ctx.db.mcpTool.findUnique({ where });
  if (tool === null) throw createFieldError("name", "is no tool of this MCP server");
  if (tool.status === "approved") return tool;
  const message =
    tool.status === "blocked"
      ? "An admin has blocked this tool."
      : "No admin has approved this tool as it is now. One has to review it.";
  throw new DomainError("forbidden", message);
}
