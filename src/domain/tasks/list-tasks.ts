import { TABLES } from "../../db/columns.ts";
import type { Task } from "../../db/generated/client.ts";
import type { Ctx } from "../context.ts";
import { requireScope } from "../guard.ts";
import { type Page, type PageRequest, readPage } from "../page.ts";

/**
 * Lists the workspace's tasks, newest first.
 *
 * @throws {DomainError} insufficient_scope without `tasks:read`; validation_failed for a page out of range.
 */
export async function listTasks(
  ctx: Ctx,
  page: PageRequest,
  filter: { status?: Task["status"] | null | undefined } = {},
): Promise<Page<Task>> {
  requireScope(ctx, "tasks:read");
  return readPage(ctx, { table: TABLES.task, collection: "tasks", status: filter.status, page });
}
