import { z } from "zod";
import { TABLES, type Table } from "../../db/columns.ts";
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
  /** More than `LIMITS.conversationMessages` are not counted. */
  messageCount: bigint;
  waits: boolean;
  taskTitle: string | null;
};

/** A question that waits: what a task waits on, or one about no task that nobody answered. */
const WAITS = `(
    EXISTS (SELECT FROM task t WHERE t.workspace_id = $1::uuid AND t.context_id = m.context_id
      AND t.status = 'input_required')
    OR EXISTS (SELECT FROM message q WHERE q.workspace_id = $1::uuid AND q.context_id = m.context_id
      AND q.kind = 'question' AND q.answered_by_id IS NULL AND q.task_id IS NULL))`;

/** Worked out for no more rows than are shown: PostgreSQL does it behind the limit. */
const CONVERSATIONS: Table = {
  ...TABLES.message,
  name: `(
  SELECT m.*, ${WAITS} AS waits,
    (SELECT count(*) FROM (
      SELECT FROM message c WHERE c.workspace_id = m.workspace_id AND c.context_id = m.context_id
      LIMIT ${LIMITS.conversationMessages + 1}) counted) AS message_count,
    (SELECT t.title FROM task t WHERE t.workspace_id = m.workspace_id AND t.context_id = m.context_id
      ORDER BY t.created_at DESC, t.id DESC LIMIT 1) AS task_title
  FROM message m)`,
  fields: [...TABLES.message.fields, "waits", "messageCount", "taskTitle"],
};

/** One look into an index for each message that is passed: the newest are mostly the last of theirs. */
const IS_LAST = `id = (
    SELECT n.id FROM message n WHERE n.workspace_id = r.workspace_id AND n.context_id = r.context_id
    ORDER BY n.created_at DESC, n.id DESC LIMIT 1)`;

/** The contexts that wait are few, so they are found first. */
const IS_WAITING = `waits AND context_id = ANY (ARRAY(
    SELECT t.context_id FROM task t WHERE t.workspace_id = $1::uuid AND t.status = 'input_required'
    UNION
    SELECT q.context_id FROM message q
    WHERE q.workspace_id = $1::uuid AND q.kind = 'question' AND q.answered_by_id IS NULL AND q.task_id IS NULL))`;

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
    filter: () => (waiting === true ? [IS_LAST, IS_WAITING] : [IS_LAST]),
    countUpTo: LIMITS.countedConversations,
    page,
  });
}
