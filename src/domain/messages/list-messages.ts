import { TABLES } from "../../db/columns.ts";
import type { Message } from "../../db/generated/client.ts";
import type { Ctx } from "../context.ts";
import { requireScope } from "../guard.ts";
import { type Page, type PageRequest, readPage } from "../page.ts";

/**
 * Lists the workspace's messages, newest first.
 *
 * @throws {DomainError} insufficient_scope without `messages:read`; validation_failed for a page out of range.
 */
export async function listMessages(ctx: Ctx, page: PageRequest): Promise<Page<Message>> {
  requireScope(ctx, "messages:read");
  return readPage(ctx, { table: TABLES.message, collection: "messages", page });
}
