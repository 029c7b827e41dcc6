import type { McpServer, McpTool } from "../../src/db/generated/client.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { createMcpServer } from "../../src/domain/mcp/create-mcp-server.ts";
import { storeMcpTools } from "../../src/domain/mcp/store-mcp-tools.ts";
import type { ToolDefinition } from "../../src/domain/mcp/tool-definition.ts";

/** Registers a server with a tool that waits for review. */
export async function insertTestMcpServer(
  ctx: Ctx,
  slug: string,
): Promise<{ server: McpServer; tool: McpTool }> {
  const url = "https://mcp.example.com/mcp";
  const { id } = await createMcpServer(ctx, { slug, name: slug, url });
  const definition = { name: "refund", description: slug, inputSchema: { type: "object" } };
  const server = await storeTools(ctx, id, [definition]);
  return { server, tool: await findTool(ctx, id, "refund") };
}

/** Stores what a server lists. */
export async function storeTools(
  ctx: Ctx,
  serverId: string,
  tools: readonly ToolDefinition[],
): Promise<McpServer> {
  return storeMcpTools(ctx, { serverId, protocolVersion: "2026-07-28", tools });
}

export async function findTool({ db, workspaceId }: Ctx, serverId: string, name: string): Promise<McpTool> {
  return db.mcpTool.findUniqueOrThrow({
    where: { workspaceId_serverId_name: { workspaceId, serverId, name } },
  });
}
