import { TABLES } from "../../db/columns.ts";
import type { McpServer } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";

/**
 * Lists the workspace's MCP servers, newest first.
 *
 * @throws {DomainError} insufficient_scope without `mcp:read`; validation_failed for a page out of range.
 */
export async function listMcpServers(ctx: Ctx, page: PageArgs): Promise<ListPage<McpServer>> {
  requireScope(ctx, "mcp:read");
  return readPage(ctx, { table: TABLES.mcpServer, collection: "mcp_servers", page });
}
