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
 * Sends a confirmation link to the caller's new address. Nothing changes until it is opened. Only the
 * newest link is valid. Behaves the same if another person has the address.
 *
 * @throws {DomainError} forbidden unless the caller is a person; sudo_required; validation_failed;
 *   rate_limited after five requests, or five emails to the address, within 15 minutes.
 */
export async function requestEmailChange(ctx: Ctx, newEmail: string): Promise<void> {
  const { id: userId } = requireUser(ctx);
  requireSudo(ctx, "viewer");
  const { email: sentTo } = parseInput(shape, { email: newEmail.trim() });
  await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user.email === sentTo) throw createFieldError("email", "is already your address");
    const requests = { key: `email-change:${userId}`, limit: REQUESTS };
    if ((await takeHit({ database: tx, now: tx.ctx.now }, requests)) === null) {
      throw new DomainError("rate_limited", "Too many address changes. Try again in 15 minutes.");
    }
    await limitEmails(tx, sentTo);
    // An address that was mistyped earlier may belong to somebody else.
    await tx.db.userToken.deleteMany({ where: { userId, context: "email_change" } });
    await tx.db.mailOutbox.deleteMany({ where: { userId, kind: "email_change" } });
    const { authEpoch } = user;
    await queueEmail(tx, { userId, kind: "email_change", sentTo, authEpoch, data: {} });
    const action = "user.email_change_requested";
    append(tx, {
      events: [{ type: action, subjectType: "user", subjectId: userId }],
      audit: [{ action, targetType: "user", targetId: userId }],
    });
  });
}
