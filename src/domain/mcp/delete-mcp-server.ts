import { z } from "zod";
import type { McpServer } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireSudo } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { describeMcpServer, lockMcpServer } from "./change-mcp-servers.ts";

const shape = z.object({ id: uuid });

/**
 * Deletes a server with its tools, their reviews and its credential. Calls under way go on.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found.
 */
export async function deleteMcpServer(ctx: Ctx, input: z.input<typeof shape>): Promise<McpServer> {
  requireSudo(ctx, "admin");
  const { id } = parseInput(shape, input);
  const { workspaceId } = ctx;
  return ctx.transaction(async (tx) => {
    const server = await lockMcpServer(tx, id);
    const where = { workspaceId, serverId: id };
    const tools = await tx.db.mcpTool.findMany({ where, select: { status: true } });
    await tx.db.mcpServer.delete({ where: { workspaceId_id: { workspaceId, id } } });
    append(tx, {
      ...describeMcpServer("mcp_server.deleted", server, { url: server.url }),
      totals: [
        { collection: "mcp_servers", from: null },
        ...tools.map(({ status }) => ({ collection: "mcp_tools" as const, from: status })),
      ],
    });
    return server;
  });
}
