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
  requireServerCaller(ctx);
  const where = { workspaceId_slug: { workspaceId: ctx.workspaceId, slug } };
  return requireEnabled(await ctx.db.mcpServer.findUnique({ where }));
}

/** @throws {DomainError} insufficient_scope, forbidden. */
export function requireServerCaller(ctx: Ctx): ReturnType<typeof requireAgent> {
  requireScope(ctx, "mcp:use");
  return requireAgent(ctx);
}

/** @throws {DomainError} not_found, forbidden. */
export function requireEnabled(server: McpServer | null): McpServer {
  if (server === null) throw new DomainError("not_found", "There is no such MCP server.");
  if (server.enabled) return server;
  throw new DomainError("forbidden", "This MCP server is disabled.");
}
