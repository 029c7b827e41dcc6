import { z } from "zod";
import type { Ctx } from "../../domain/context.ts";
import { DomainError, invalid } from "../../domain/errors.ts";
import { append } from "../../domain/events.ts";
import { requirePerson, requireSudo } from "../../domain/guard.ts";
import { email, parseInput } from "../../domain/input.ts";
import { limitLetters } from "../../domain/letters/limit-letters.ts";
import { queueLetter } from "../../domain/letters/queue-letter.ts";
import { takeHit } from "../../domain/throttle.ts";
import { lockUser } from "../../domain/users/lock-user.ts";

const shape = z.object({ email });

const REQUESTS = 5;

/**
 * Sends a link to the address that the caller's person wants to have from now on; until it is followed
 * nothing changes. Only the link of the last request works. Whether another person has the address makes no
 * difference here.
 *
 * @throws {DomainError} forbidden for anybody but a person; sudo_required; validation_failed;
 *   rate_limited after five requests, or five letters to the address, within 15 minutes.
 */
export async function requestEmailChange(ctx: Ctx, newEmail: string): Promise<void> {
  const { id: userId } = requirePerson(ctx);
  requireSudo(ctx, "viewer");
  const { email: sentTo } = parseInput(shape, { email: newEmail.trim() });
  await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user.email === sentTo) throw invalid("email", "is your address already");
    const requests = { key: `email-change:${userId}`, limit: REQUESTS };
    if (!(await takeHit({ database: { prisma: tx.db }, now: ctx.now }, requests)).allowed) {
      throw new DomainError("rate_limited", "Too many changes of the address. Try again in 15 minutes.");
    }
    await limitLetters(tx, sentTo);
    // An earlier address may have been a slip, and be a stranger's.
    await tx.db.userToken.deleteMany({ where: { userId, context: "email_change" } });
    await tx.db.mailOutbox.deleteMany({ where: { userId, kind: "email_change" } });
    const { authEpoch } = user;
    await queueLetter(tx, { userId, kind: "email_change", sentTo, authEpoch, data: {} });
    const action = "user.email_change_requested";
    await append(tx, {
      events: [{ type: action, subjectType: "user", subjectId: userId }],
      audit: [{ action, targetType: "user", targetId: userId }],
    });
  });
}
