import type { McpServer } from "../../db/generated/client.ts";
import type { McpServerHealth } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { lockMcpServer } from "./change-mcp-servers.ts";

/** What a request to a server has shown. */
export type SeenHealth = { serverId: string; health: McpServerHealth; problem: string | null };

/** Stores what a request to a server has shown, if it is something else than before. */
export async function noteMcpServerHealth(
  ctx: Ctx,
  { serverId, health, problem }: SeenHealth,
): Promise<void> {
  const { workspaceId } = ctx;
  await ctx.transaction(async (tx) => {
    const before = await lockMcpServer(tx, serverId);
    if (before.health === health && before.lastError === problem) return;
    const server = await tx.db.mcpServer.update({
      where: { workspaceId_id: { workspaceId, id: serverId } },
      data: { health, healthAt: await tx.now(), lastError: problem },
    });
    append(tx, healthChange(before, server));
  });
}

/** What a transaction that stores a server's health must append. */
export function healthChange(before: McpServer, { id, slug, health }: McpServer): AppendContent {
  const data = { slug, health: { from: before.health, to: health } };
  const isChanged = before.health !== health;
  return {
    events: isChanged
      ? [{ type: "mcp_server.health_changed", subjectType: "mcp_server", subjectId: id, data }]
      : [],
    totals: [{ collection: "mcp_servers", from: null, to: null }],
  };
}
