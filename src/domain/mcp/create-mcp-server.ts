import { v7 as uuidv7 } from "uuid";
import type { z } from "zod";
import type { McpServer } from "../../db/generated/client.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError, createFieldError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireSudo } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { describeMcpServer } from "./change-mcp-servers.ts";
import { mcpServerInput } from "./mcp-server-input.ts";

/**
 * Registers an MCP server. Nothing is asked of it yet, and agents can call its tools once they are reviewed.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; validation_failed, also if the workspace
 *   has too many; already_exists.
 */
export async function createMcpServer(ctx: Ctx, input: z.input<typeof mcpServerInput>): Promise<McpServer> {
  requireSudo(ctx, "admin");
  const fields = parseInput(mcpServerInput, input);
  const { workspaceId } = ctx;
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const { mcpServer } = tx.db;
    if ((await mcpServer.count({ where: { workspaceId } })) >= LIMITS.mcpServers) {
      throw createFieldError(
        "slug",
        `can't be added: a workspace has at most ${LIMITS.mcpServers} MCP servers`,
      );
    }
    const where = { workspaceId_slug: { workspaceId, slug: fields.slug } };
    if ((await mcpServer.findUnique({ where, select: { id: true } })) !== null) {
      throw new DomainError("already_exists", `There is an MCP server ${fields.slug}.`, { field: "slug" });
    }
    const by = createActorRecord(ctx.actor);
    const now = await tx.now();
    const own = { workspaceId, id: uuidv7(), createdBy: by, updatedBy: by };
    const toolsDueAt = new Date(now.getTime() + LIMITS.mcpRefreshMinutes * 60_000);
    const times = { createdAt: now, updatedAt: now, toolsDueAt };
    const server = await mcpServer.create({ data: { ...fields, ...own, ...times } });
    const { name, url, enabled, holdSeconds } = fields;
    append(tx, {
      ...describeMcpServer("mcp_server.created", server, { name, url, enabled, hold_seconds: holdSeconds }),
      totals: [{ collection: "mcp_servers", to: null }],
    });
    return server;
  });
}
