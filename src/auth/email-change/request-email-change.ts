import { z } from "zod";
import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError, createFieldError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireUser, requireSudo } from "../../domain/kernel/guard.ts";
import { email, parseInput } from "../../domain/kernel/input.ts";
import { limitEmails } from "../../domain/emails/limit-emails.ts";
import { queueEmail } from "../../domain/emails/queue-email.ts";
import { takeHit } from "../../domain/kernel/throttle.ts";
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
  const { id: userId } = requireUser(ctx);
  requireSudo(ctx, "viewer");
  const { email: sentTo } = parseInput(shape, { email: newEmail.trim() });
  await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user.email === sentTo) throw createFieldError("email", "is your address already");
    const requests = { key: `email-change:${userId}`, limit: REQUESTS };
    if (!(await takeHit({ database: { prisma: tx.db }, now: ctx.now }, requests)).allowed) {
      throw new DomainError("rate_limited", "Too many changes of the address. Try again in 15 minutes.");
    }
    await limitEmails(tx, sentTo);
    // An earlier address may have been a slip, and be a stranger's.
    await tx.db.userToken.deleteMany({ where: { userId, context: "email_change" } });
    await tx.db.mailOutbox.deleteMany({ where: { userId, kind: "email_change" } });
    const { authEpoch } = user;
    await queueEmail(tx, { userId, kind: "email_change", sentTo, authEpoch, data: {} });
    const action = "user.email_change_requested";
    await append(tx, {
      events: [{ type: action, subjectType: "user", subjectId: userId }],
      audit: [{ action, targetType: "user", targetId: userId }],
    });
  });
}
