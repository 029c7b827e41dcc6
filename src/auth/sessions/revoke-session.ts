import type { Ctx } from "../../domain/kernel/context.ts";
import { createNotFoundError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireUser } from "../../domain/kernel/guard.ts";
import { lockUser } from "../../domain/users/lock-user.ts";
import { endSessions } from "./end-sessions.ts";

/**
 * Revokes one of the caller's sessions by its id.
 *
 * @throws {DomainError} forbidden unless the caller is a person; not_found, also for another person's
 *   session.
 */
export async function revokeSession(ctx: Ctx, sessionId: string): Promise<void> {
  const { id: userId } = requireUser(ctx);
  await ctx.transaction(async (tx) => {
    await lockUser(tx, userId);
    const session = await tx.db.userToken.findFirst({
      where: { id: sessionId, userId, context: "session" },
      select: { familyId: true },
    });
    const familyId = session?.familyId ?? null;
    if (familyId === null) throw createNotFoundError("session");
    append(tx, await endSessions(tx, userId, { which: { familyId }, reason: "revoked" }));
  }, "urgent");
}
