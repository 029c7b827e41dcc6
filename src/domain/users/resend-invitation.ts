import type { Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";
import { append } from "../events.ts";
import { requireRank, requireSudo } from "../guard.ts";
import { limitLetters } from "../letters/limit-letters.ts";
import { queueLetter } from "../letters/queue-letter.ts";
import { type LockedUser, lockUser } from "./lock-user.ts";

/**
 * Sends another invitation to a member who has not set a password yet. Links of earlier ones work on.
 *
 * @throws {DomainError} forbidden for less than an admin, and for a member above the caller; sudo_required;
 *   not_found; invalid_state for who is suspended, has a password, or has no address; rate_limited after five letters to the
 *   address within 15 minutes.
 */
export async function resendInvitation(ctx: Ctx, userId: string): Promise<void> {
  requireSudo(ctx, "admin");
  await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    requireRank(ctx, user.role);
    const sentTo = addressOfInvited(user);
    await limitLetters(tx, sentTo);
    // One that is not out yet would only come twice.
    await tx.db.mailOutbox.deleteMany({ where: { userId, kind: "invitation" } });
    const { authEpoch } = user;
    await queueLetter(tx, {
      ...{ userId, kind: "invitation", sentTo, authEpoch },
      data: { invitedBy: ctx.actor.name },
    });
    const target = { targetType: "user", targetId: userId };
    await append(tx, {
      events: [{ type: "user.invited", subjectType: "user", subjectId: userId }],
      audit: [{ action: "user.invited", ...target }],
    });
  });
}

function addressOfInvited({ email, suspendedAt, hasPassword }: LockedUser): string {
  if (suspendedAt !== null) throw new DomainError("invalid_state", "This person is suspended.");
  if (hasPassword) throw new DomainError("invalid_state", "This person has set a password already.");
  if (email === null) throw new DomainError("invalid_state", "This person has no e-mail address.");
  return email;
}
