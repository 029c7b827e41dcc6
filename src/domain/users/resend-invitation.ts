import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireRank, requireSudo } from "../kernel/guard.ts";
import { limitEmails } from "../emails/limit-emails.ts";
import { limitInvitations } from "../emails/limit-invitations.ts";
import { queueEmail } from "../emails/queue-email.ts";
import { type LockedUser, lockUser } from "./lock-user.ts";

/**
 * Sends another invitation to a member who has not set a password yet. Links of earlier ones stay valid.
 *
 * @throws {DomainError} forbidden below admin, and for a member with a higher role than the caller;
 *   sudo_required; not_found; invalid_state if the member is suspended, has a password, or has no address;
 *   rate_limited after five emails to the address, or 100 invitations of the workspace, within 15 minutes.
 */
export async function resendInvitation(ctx: Ctx, userId: string): Promise<void> {
  requireSudo(ctx, "admin");
  await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    requireRank(ctx, user.role);
    const sentTo = getInvitationAddress(user);
    await limitEmails(tx, sentTo);
    await limitInvitations(tx);
    // An invitation that was not sent yet would be a duplicate.
    await tx.db.mailOutbox.deleteMany({ where: { userId, kind: "invitation" } });
    const { authEpoch } = user;
    await queueEmail(tx, {
      userId,
      kind: "invitation",
      sentTo,
      authEpoch,
      data: { invitedBy: ctx.actor.name },
    });
    const target = { targetType: "user", targetId: userId };
    append(tx, {
      events: [{ type: "user.invited", subjectType: "user", subjectId: userId }],
      audit: [{ action: "user.invited", ...target }],
    });
  });
}

function getInvitationAddress({ email, suspendedAt, hasPassword }: LockedUser): string {
  if (suspendedAt !== null) throw new DomainError("invalid_state", "This person is suspended.");
  if (hasPassword) throw new DomainError("invalid_state", "This person has already set a password.");
  if (email === null) throw new DomainError("invalid_state", "This person has no email address.");
  return email;
}
