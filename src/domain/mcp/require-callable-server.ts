import type { McpServer } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";

/**
 * Reads a server that agents may call.
 *
 * @throws {DomainError} insufficient_scope without `mcp:use`; forbidden for anybody but agents, and while the server is
 *   disabled; not_found.
 */
export async function requireCallableServer(ctx: Ctx, slug: string): Promise<McpServer> {
  requireScope(ctx, "mcp:use");
  requireAgent(ctx);
  const where = { workspaceId_slug: { workspaceId: ctx.workspaceId, slug } };
  const server = await ctx.db.mcpServer.findUnique({ where });
  if (server === null) throw new DomainError("not_found", "There is no such MCP server.");
  if (server.enabled) return server;
  throw new DomainError("forbidden", "This MCP server is disabled.");
}
