import { TABLES } from "../../db/columns.ts";
import type { Agent } from "../../db/generated/client.ts";
import type { Ctx } from "../context.ts";
import { requireScope } from "../guard.ts";
import { type Page, type PageRequest, readPage } from "../page.ts";

/**
 * Lists the workspace's agents, newest first.
 *
 * @throws {DomainError} insufficient_scope without `agents:read`; validation_failed for a page out of range.
 */
export async function listAgents(ctx: Ctx, page: PageRequest): Promise<Page<Agent>> {
  requireScope(ctx, "agents:read");
  return readPage(ctx, { table: TABLES.agent, collection: "agents", page });
}
