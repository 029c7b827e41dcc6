import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { Message } from "../../db/generated/client.ts";
import { MessageKind } from "../../db/generated/enums.ts";
import type { Ctx } from "../context.ts";
import { requireAgent, requireScope } from "../guard.ts";
import { parseInput, uuid } from "../input.ts";
import { LIMITS } from "../limits.ts";
import { type Filter, type Page, type PageRequest, readPage } from "../page.ts";

const shape = z.object({
  contextId: uuid.nullish(),
  taskId: uuid.nullish(),
  kind: z.enum(MessageKind).nullish(),
  /** Only what is addressed to the calling agent. */
  toMe: z.boolean().nullish(),
});

/**
 * Lists the workspace's messages, newest first.
 *
 * @throws {DomainError} insufficient_scope without `messages:read`; validation_failed for a page out of range
 *   or a filter that can't be one; forbidden for `toMe` of anybody but an agent.
 */
export async function listMessages(
  ctx: Ctx,
  page: PageRequest,
  filter: z.input<typeof shape> = {},
): Promise<Page<Message>> {
  requireScope(ctx, "messages:read");
  return readPage(ctx, {
    table: TABLES.message,
    collection: "messages",
    filter: conditions(ctx, parseInput(shape, filter)),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

function conditions(ctx: Ctx, { contextId, taskId, kind, toMe }: z.output<typeof shape>): Filter | null {
  if (!contextId && !taskId && !kind && toMe !== true) return null;
  const recipient = toMe === true ? requireAgent(ctx).id : null;
  return (param) => [
    ...(contextId ? [`context_id = ${param(contextId)}::uuid`] : []),
    ...(taskId ? [`task_id = ${param(taskId)}::uuid`] : []),
    ...(kind ? [`kind = ${param(kind)}::message_kind`] : []),
    ...(recipient === null ? [] : [`recipient_agent_id = ${param(recipient)}::uuid`]),
  ];
}
