import type { McpServer } from "../../db/generated/client.ts";
import { type Ctx, openCtx, systemCaller } from "../../domain/kernel/context.ts";
import { noteMcpServerHealth } from "../../domain/mcp/note-mcp-server-health.ts";
import { UpstreamError } from "./upstream-error.ts";

/** Runs work with a server, and stores what it has shown of the server's health. */
export async function withHealth<Result>(
  ctx: Ctx,
  server: McpServer,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work();
    if (server.health !== "ok") await note(ctx, server, null);
    return result;
  } catch (error) {
    if (error instanceof UpstreamError) await note(ctx, server, error);
    throw error;
  }
}

/** The agent may not do so itself, and may be gone by now. */
async function note(ctx: Ctx, server: McpServer, error: UpstreamError | null): Promise<void> {
  const [health, problem] = [error?.health ?? "ok", error?.message ?? null];
  if (server.health === health && server.lastError === problem) return;
  try {
    const system = openCtx(ctx.services, systemCaller(ctx.workspaceId, "mcp proxy"), ctx.now);
    await noteMcpServerHealth(system, { serverId: server.id, health, problem });
  } catch (failure) {
    ctx.log.warn({ err: failure, serverId: server.id }, "the health of an MCP server was not stored");
  }
}
