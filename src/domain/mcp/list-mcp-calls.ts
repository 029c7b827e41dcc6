import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { McpCall } from "../../db/generated/client.ts";
import { ExecutionStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { type Comparisons, filterBy } from "../kernel/filter-by.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";

const shape = z.object({
  status: z.enum(ExecutionStatus).nullish(),
  serverId: uuid.nullish(),
  tool: text(LIMITS.mcpToolNameLength).nullish(),
  agentId: uuid.nullish(),
});

/**
 * Lists calls of tools of MCP servers, newest first.
 *
 * @throws {DomainError} insufficient_scope without `mcp:read`; validation_failed for a page out of range or an invalid
 *   filter.
 */
export async function listMcpCalls(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<McpCall>> {
  requireScope(ctx, "mcp:read");
  const { status, ...rest } = parseInput(shape, filter);
  return readPage(ctx, {
    table: TABLES.mcpCall,
    collection: "mcp_calls",
    status,
    filter: filterBy(rest, COMPARED),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

const COMPARED: Comparisons<Omit<z.output<typeof shape>, "status">> = {
  serverId: (value) => `server_id = ${value}::uuid`,
  tool: (value) => `tool = ${value}`,
  agentId: (value) => `agent_id = ${value}::uuid`,
};
