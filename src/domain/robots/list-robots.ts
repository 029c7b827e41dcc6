import { TABLES } from "../../db/columns.ts";
import type { Robot } from "../../db/generated/client.ts";
import type { Ctx } from "../context.ts";
import { requireScope } from "../guard.ts";
import { type Page, type PageRequest, readPage } from "../page.ts";

/**
 * Lists the workspace's robots, newest first; the whole list where the page asks for `all`.
 *
 * @throws {DomainError} insufficient_scope without `robots:read`; validation_failed for a page out of range.
 */
export async function listRobots(ctx: Ctx, page: PageRequest): Promise<Page<Robot>> {
  requireScope(ctx, "robots:read");
  return readPage(ctx, { table: TABLES.robot, collection: "robots", page });
}
