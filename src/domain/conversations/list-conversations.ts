import { z } from "zod";
import { TABLES, type Table, toColumnName } from "../../db/columns.ts";
import type { Message } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";

const shape = z.object({
  /** Only those in which a question waits. */
  waiting: z.boolean().nullish(),
});

/** A context as it stands: its last message, and what stands for the rest. */
export type Conversation = Message & {
  messageCount: number;
  waits: boolean;
  taskTitle: string | null;
};

/** Read from the conversation alone: what is ordered and filtered by. The message is looked up for the rows that are shown. */
const KEPT: Readonly<Record<string, string>> = {
  workspaceId: "c.workspace_id",
  id: "c.last_message_id",
  createdAt: "c.last_message_at",
};

const CONVERSATIONS: Table = {
  ...TABLES.message,
  name: `(
  SELECT ${TABLES.message.fields.map(selectField).join(", ")},
    c.waiting AS waits, c.message_count,
    (SELECT t.title FROM task t WHERE t.workspace_id = c.workspace_id AND t.context_id = c.context_id
      ORDER BY t.created_at DESC, t.id DESC LIMIT 1) AS task_title
  FROM conversation c LEFT JOIN message m ON m.workspace_id = c.workspace_id AND m.id = c.last_message_id)`,
  fields: [...TABLES.message.fields, "waits", "messageCount", "taskTitle"],
};

function selectField(field: string): string {
  const column = toColumnName(field);
  return `${KEPT[field] ?? `m.${column}`} AS ${column}`;
}

/**
 * Lists the workspace's conversations, that of the newest message first, in one statement. Their total is only
 * told up to 100: contexts are nothing but what messages have in common.
 *
 * @throws {DomainError} insufficient_scope without `messages:read`; validation_failed for a page out of range.
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
