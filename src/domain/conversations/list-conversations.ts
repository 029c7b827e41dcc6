import { z } from "zod";
import { TABLES, type Table } from "../../db/columns.ts";
import type { Message } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";

const shape = z.object({
  /** Only conversations in which a question waits for an answer. */
  waiting: z.boolean().nullish(),
});

/** A context: its last message, with a summary of the others. */
export type Conversation = Message & {
  messageCount: number;
  waits: boolean;
  taskTitle: string | null;
};

const CONVERSATIONS: Table = {
  ...TABLES.message,
  name: `(
  SELECT workspace_id, context_id, last_message_id AS id, last_message_at AS created_at, message_count, waiting AS waits
  FROM conversation)`,
  fields: [...TABLES.message.fields, "waits", "messageCount", "taskTitle"],
  complete: (page) => `
  SELECT m.*, c.waits, c.message_count, (
    SELECT t.title FROM task t WHERE t.workspace_id = c.workspace_id AND t.context_id = c.context_id
    ORDER BY t.created_at DESC, t.id DESC LIMIT 1) AS task_title
  FROM (${page}) c JOIN message m ON m.workspace_id = c.workspace_id AND m.id = c.id`,
};

/**
 * Lists the workspace's conversations, those with the newest message first, in one statement. The total is
 * null above 100, so that counting has a fixed cost.
 *
 * @throws {DomainError} insufficient_scope without `messages:read`; validation_failed for a page out of
 *   range.
 */
export async function listConversations(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<Conversation>> {
  requireScope(ctx, "messages:read");
  const { waiting } = parseInput(shape, filter);
  return readPage(ctx, {
    table: CONVERSATIONS,
    collection: "messages",
    filter: () => (waiting === true ? ["waits"] : []),
    countUpTo: LIMITS.countedConversations,
    page,
  });
}
