import type { Ctx } from "../../domain/kernel/context.ts";
import { append } from "../../domain/kernel/events.ts";
import { inviteUser } from "../../domain/users/invite-user.ts";
import { resendInvitation } from "../../domain/users/resend-invitation.ts";
import type { EmailServices } from "../emails/email-services.ts";
import { mintLink } from "../emails/mint-link.ts";

/** Who was invited, and the link to hand over where no mail provider carries it; it is whole, and shown this once. */
export type Invited = { userId: string; link: string | null };

/**
 * Invites a person. Without a mail provider the inviter is given a link of his own to hand over.
 *
 * @throws {DomainError} what {@link inviteUser} throws.
 */
export async function inviteWithLink(ctx: Ctx, input: Parameters<typeof inviteUser>[1]): Promise<Invited> {
  const userId = await inviteUser(ctx, input);
  return { userId, link: await mintLinkToShow(ctx, userId) };
}

/**
 * Invites a member again who has not set a password yet, in the same way.
 *
 * @throws {DomainError} what {@link resendInvitation} throws.
 */
export async function resendWithLink(ctx: Ctx, userId: string): Promise<Invited> {
  await resendInvitation(ctx, userId);
  return { userId, link: await mintLinkToShow(ctx, userId) };
}

async function mintLinkToShow(ctx: Ctx, userId: string): Promise<string | null> {
  const { mailer, baseUrl } = getEmailServices(ctx);
  if (mailer.isProvider) return null;
  const link = await mintLink(ctx, {
    ...{ userId, context: "invitation", sentTo: null },
    isDue: async (tx) => {
      // A link would take the account from whoever has accepted meanwhile.
      if ((await tx.db.user.count({ where: { id: userId, hashedPassword: null } })) === 0) return false;
      const target = { targetType: "user", targetId: userId };
      await append(tx, { events: [], audit: [{ action: "invitation.link_shown", ...target }] });
      return true;
    },
  });
  return link === null ? null : baseUrl() + link.path;
}

function getEmailServices({ services }: Ctx): Pick<EmailServices, "mailer" | "baseUrl"> {
  // The services of HTTP requests are built with those of letters.
  if ("mailer" in services && "baseUrl" in services) return services as typeof services & EmailServices;
  throw new Error("the context was opened without the services of letters");
}
