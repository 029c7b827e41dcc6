import type { Prisma, Message } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";

/**
 * Reads one message. `query` selects columns and relations.
 *
 * @throws {DomainError} insufficient_scope without `messages:read`; not_found.
 */
export async function readMessage(
  ctx: Ctx,
  id: string,
  query: Pick<Prisma.MessageFindUniqueArgs, "include" | "select"> = {},
): Promise<Message> {
  requireScope(ctx, "messages:read");
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const message = await ctx.db.message.findUnique({ ...query, where });
  if (message === null) throw createNotFoundError("message");
  return message;
}
