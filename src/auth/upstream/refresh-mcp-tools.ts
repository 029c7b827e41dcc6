import { z } from "zod";
import type { McpServer } from "../../db/generated/client.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError, createNotFoundError } from "../../domain/kernel/errors.ts";
import { requireRole } from "../../domain/kernel/guard.ts";
import { parseInput, uuid } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { createSharedCapacity } from "../../domain/kernel/shared-capacity.ts";
import { type Steps, createTurns } from "../../domain/kernel/turns.ts";
import { noteMcpServerHealth } from "../../domain/mcp/note-mcp-server-health.ts";
import { storeMcpTools } from "../../domain/mcp/store-mcp-tools.ts";
import { type ToolDefinition, toolDefinition } from "../../domain/mcp/tool-definition.ts";
import { listUpstreamTools } from "./list-upstream-tools.ts";
import { UpstreamError } from "./upstream-error.ts";
import { getUpstreamServices } from "./upstream-services.ts";

const shape = z.object({ id: uuid });

/** Servers that this node asks at once: each may list megabytes, slowly. */
const RUNNING = createSharedCapacity(16);
/** Workspaces take turns: tools may have megabytes together. */
const { run: takeTurn } = createTurns();

/**
 * Asks a server for its tools and stores them for review. If it does not answer, its health and `lastError` say why.
 *
 * @throws {DomainError} forbidden below admin, and for agents; not_found; rate_limited if the workspace asks too many
 *   servers at once; unavailable if `ctx.signal` ends it.
 */
export async function refreshMcpTools(ctx: Ctx, input: z.input<typeof shape>): Promise<McpServer> {
  requireRole(ctx, "admin");
  const { id } = parseInput(shape, input);
  const server = await findServer(ctx, id);
  if (!RUNNING.fits(ctx.workspaceId, 1)) {
    throw new DomainError("rate_limited", "Too many servers are asked for their tools. Try again later.");
  }
  RUNNING.take(ctx.workspaceId, 1);
  try {
    return await refresh(ctx, server);
  } finally {
    RUNNING.release(ctx.workspaceId, 1);
  }
}

async function refresh(ctx: Ctx, server: McpServer): Promise<McpServer> {
  const { id } = server;
  try {
    const listed = await listUpstreamTools(getUpstreamServices(ctx), server, ctx.signal);
    const tools = await takeTurn(ctx.workspaceId, parseTools(listed.tools));
    return await storeMcpTools(ctx, { serverId: id, protocolVersion: listed.protocolVersion, tools });
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    if (ctx.signal?.aborted === true) throw new DomainError("unavailable", "The server was not waited for.");
    await noteMcpServerHealth(ctx, { serverId: id, health: error.health, problem: error.message });
    return findServer(ctx, id);
  }
}

async function findServer({ db, workspaceId }: Ctx, id: string): Promise<McpServer> {
  const server = await db.mcpServer.findUnique({ where: { workspaceId_id: { workspaceId, id } } });
  if (server === null) throw createNotFoundError("MCP server");
  return server;
}

/** @throws {UpstreamError} */
function* parseTools(tools: readonly unknown[]): Steps<ToolDefinition[]> {
  if (tools.length > LIMITS.mcpTools) throw createListError(`more than ${LIMITS.mcpTools} tools`);
  const definitions = new Map<string, ToolDefinition>();
  for (const [index, tool] of tools.entries()) {
    const parsed = toolDefinition.safeParse(tool);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw createListError(`a tool ${index + 1} whose ${issue?.path.join(".")} ${issue?.message}`);
    }
    if (definitions.has(parsed.data.name)) throw createListError("two tools of the same name");
    definitions.set(parsed.data.name, parsed.data);
    yield;
  }
  return [...definitions.values()];
}

function createListError(what: string): UpstreamError {
  return new UpstreamError("down", `The server lists ${what}.`, true);
}
