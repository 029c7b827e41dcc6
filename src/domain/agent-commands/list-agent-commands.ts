import { TABLES } from "../../db/columns.ts";
import type { AgentCommand } from "../../db/generated/client.ts";
import type { Ctx } from "../context.ts";
import { requireScope } from "../guard.ts";
import { type Page, type PageRequest, readPage } from "../page.ts";

/**
 * Lists the commands given to the workspace's agents, newest first.
 *
 * @throws {DomainError} insufficient_scope without `agent_commands:read`; validation_failed for a page out of range.
 */
export async function listAgentCommands(
  ctx: Ctx,
  page: PageRequest,
  filter: { status?: AgentCommand["status"] | null | undefined } = {},
): Promise<Page<AgentCommand>> {
  requireScope(ctx, "agent_commands:read");
  return readPage(ctx, {
    table: TABLES.agentCommand,
    collection: "agent_commands",
    status: filter.status,
    page,
  });
}
