import { z } from "zod";
import type { McpServer, Prisma } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";

const shape = z.object({ id: uuid });

/**
 * Reads one MCP server. `query` selects columns.
 *
 * @throws {DomainError} insufficient_scope without `mcp:read`; not_found.
 */
export async function readMcpServer(
  ctx: Ctx,
  input: z.input<typeof shape>,
  query: Pick<Prisma.McpServerFindUniqueArgs, "include" | "select"> = {},
): Promise<McpServer> {
  requireScope(ctx, "mcp:read");
  const { id } = parseInput(shape, input);
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const server = await ctx.db.mcpServer.findUnique({ ...query, where });
  if (server === null) throw createNotFoundError("MCP server");
  return server;
}
