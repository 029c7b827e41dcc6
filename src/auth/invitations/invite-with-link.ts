import type { Ctx } from "../../domain/kernel/context.ts";
import { append } from "../../domain/kernel/events.ts";
import { inviteUser } from "../../domain/users/invite-user.ts";
import { resendInvitation } from "../../domain/users/resend-invitation.ts";
import type { EmailServices } from "../emails/email-services.ts";
import { mintLink } from "../emails/mint-link.ts";

/** The invited user, and the whole link if there is no mail provider. Returned only here. */
export type Invited = { userId: string; link: string | null };

/**
 * Invites a person. Without a mail provider, the inviter gets a link to pass on.
 *
 * @throws {DomainError} the errors of {@link inviteUser}.
 */
export async function inviteWithLink(ctx: Ctx, input: Parameters<typeof inviteUser>[1]): Promise<Invited> {
  const userId = await inviteUser(ctx, input);
  return { userId, link: await mintLinkToShow(ctx, userId) };
}

/**
 * Invites a member without a password again, in the same way.
 *
 * @throws {DomainError} the errors of {@link resendInvitation}.
 */
export async function resendWithLink(ctx: Ctx, userId: string): Promise<Invited> {
  await resendInvitation(ctx, userId);
  return { userId, link: await mintLinkToShow(ctx, userId) };
}

async function mintLinkToShow(ctx: Ctx, userId: string): Promise<string | null> {
  const { mailer, baseUrl } = getEmailServices(ctx);
  if (mailer.isProvider) return null;
  const link = await mintLink(ctx, {
    userId,
    context: "invitation",
    sentTo: null,
    isDue: async (tx) => {
      // A link would allow the inviter to take over an account that was accepted meanwhile.
      if ((await tx.db.user.count({ where: { id: userId, hashedPassword: null } })) === 0) return false;
      const target = { targetType: "user", targetId: userId };
      append(tx, { events: [], audit: [{ action: "invitation.link_shown", ...target }] });
      return true;
    },
  });
  return link === null ? null : baseUrl() + link.path;
}

function getEmailServices({ services }: Ctx): Pick<EmailServices, "mailer" | "baseUrl"> {
  // The services of HTTP requests include those of emails.
  if ("mailer" in services && "baseUrl" in services) return services as typeof services & EmailServices;
  throw new Error("the context has no email services");
}
