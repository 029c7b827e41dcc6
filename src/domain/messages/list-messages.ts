import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { Message } from "../../db/generated/client.ts";
import { MessageKind } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { type Comparisons, type Condition, filterBy } from "../kernel/filter-by.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";

const shape = z.object({
  contextId: uuid.nullish(),
  taskId: uuid.nullish(),
  kind: z.enum(MessageKind).nullish(),
  /** Only messages to the calling agent. */
  toMe: z.boolean().nullish(),
  missionId: uuid.nullish(),
  /** The agent or person that sent it. */
  senderId: uuid.nullish(),
  /** Only unanswered questions. */
  unanswered: z.boolean().nullish(),
  /** Only questions that wait for an answer. */
  waiting: z.boolean().nullish(),
  createdFrom: z.date().nullish(),
  createdTo: z.date().nullish(),
});

type Filters = z.output<typeof shape>;

/**
 * Lists the workspace's messages, newest first. `createdFrom` is inclusive, `createdTo` exclusive.
 *
 * @throws {DomainError} insufficient_scope without `messages:read`; validation_failed for a page out of
 *   range or an invalid filter; forbidden for `toMe` unless the caller is an agent.
 */
export async function listMessages(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<Message>> {
  requireScope(ctx, "messages:read");
  const filters = parseInput(shape, filter);
  return readPage(ctx, {
    table: TABLES.message,
    collection: "messages",
    filter: filterBy(filters, COMPARED, otherConditions(ctx, filters)),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

const COMPARED: Comparisons<Filters> = {
  contextId: (value) => `context_id = ${value}::uuid`,
  taskId: (value) => `task_id = ${value}::uuid`,
  missionId: (value) => `mission_id = ${value}::uuid`,
  kind: (value) => `kind = ${value}::message_kind`,
  senderId: (value) => `sender ->> 'id' = ${value}`,
  createdFrom: (value) => `created_at >= ${value}::timestamptz`,
  createdTo: (value) => `created_at < ${value}::timestamptz`,
};

function otherConditions(ctx: Ctx, { toMe, unanswered, waiting }: Filters): Condition[] {
  const recipient = toMe === true ? requireAgent(ctx).id : null;
  return [
    ...(recipient === null
      ? []
      : ([(param) => `recipient_agent_id = ${param(recipient)}::uuid`] satisfies Condition[])),
    ...(unanswered === true ? [() => "kind = 'question' AND answered_by_id IS NULL"] : []),
    ...(waiting === true ? [() => "waiting"] : []),
  ];
}
