import { z } from "zod";
import type { Prisma, Message } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { StoredEvent } from "../event-log/stored-event.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { waitFor } from "../kernel/wait-for.ts";

const shape = z.object({ id: uuid, waitSeconds: wholeNumber(LIMITS.pollSeconds).nullish() });

/**
 * Reads one message; with `waitSeconds`, waits while it is a question that waits for its answer. `query` selects
 * columns and relations.
 *
 * @throws {DomainError} insufficient_scope without `messages:read`; not_found; validation_failed.
 */
export async function readMessage(
  ctx: Ctx,
  input: z.input<typeof shape>,
  query: Pick<Prisma.MessageFindUniqueArgs, "include" | "select"> = {},
): Promise<Message> {
  requireScope(ctx, "messages:read");
  const { id, waitSeconds } = parseInput(shape, input);
  function concerns(event: StoredEvent): boolean {
    return event.subjectId === id;
  }
  if (waitSeconds) {
    await waitFor(ctx, { seconds: waitSeconds, concerns }, async () => {
      const [waiting] = await ctx.read(WAITING, [ctx.workspaceId, id]);
      return waiting === undefined ? "over" : null;
    });
  }
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const message = await ctx.db.message.findUnique({ ...query, where });
  if (message === null) throw createNotFoundError("message");
  return message;
}

const WAITING = sql`SELECT 1 AS one FROM message WHERE workspace_id = $1::uuid AND id = $2::uuid AND waiting`;
