import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { McpTool } from "../../db/generated/client.ts";
import { McpToolStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { type Comparisons, filterBy } from "../kernel/filter-by.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";

const shape = z.object({ status: z.enum(McpToolStatus).nullish(), serverId: uuid.nullish() });

/**
 * Lists the tools of MCP servers, newest first.
 *
 * @throws {DomainError} insufficient_scope without `mcp:read`; validation_failed for a page out of range or an invalid
 *   filter.
 */
export async function listMcpTools(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<McpTool>> {
  requireScope(ctx, "mcp:read");
  return readPage(ctx, {
    table: TABLES.mcpTool,
    collection: "mcp_tools",
    filter: filterBy(parseInput(shape, filter), COMPARED),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

const COMPARED: Comparisons<z.output<typeof shape>> = {
  status: (value) => `status = ${value}::mcp_tool_status`,
  serverId: (value) => `server_id = ${value}::uuid`,
};
