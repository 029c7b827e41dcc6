import { NotificationTopic } from "../../db/generated/enums.ts";
import { type Ctx, openCtx, systemCaller } from "../../domain/kernel/context.ts";
import { composeNotification } from "./compose-notification.ts";
import type { ComposedEmail } from "./composed-email.ts";
import type { EmailServices } from "./email-services.ts";
import type { HeldAccountEmail, HeldEmail, HeldNotification } from "./held-email.ts";
import type { LinkContext } from "./link.ts";
import { dropLink, mintLink } from "./mint-link.ts";
import { toEmail } from "./to-email.ts";

/** Composes an email of the outbox for one attempt, with new links. Null if it is not needed any more. */
export async function composeEmail(services: EmailServices, held: HeldEmail): Promise<ComposedEmail | null> {
  const ctx = openCtx(services, systemCaller(held.workspaceId, "email delivery"), services.now);
  const baseUrl = services.baseUrl();
  if (isNotification(held)) return composeNotification(ctx, held, baseUrl);
  const context = toLinkContext(held);
  const to = held.sentTo;
  if (context === null) return { to, email: toEmail(held, baseUrl, ""), discard: () => Promise.resolve() };
  const link = await mintEmailLink(ctx, held, context);
  return link && { to, email: toEmail(held, baseUrl, link.path), discard: () => dropLink(ctx, link) };
}

/** Whether a person asked for it in the settings. */
export function isNotification(held: HeldEmail): held is HeldNotification {
  return Object.hasOwn(NotificationTopic, held.kind);
}

/** Whoever may use no password is invited without a link to set one. */
function toLinkContext({ kind, mayUsePassword }: HeldAccountEmail): LinkContext | null {
  return kind === "email_change" || (kind === "invitation" && mayUsePassword) ? kind : null;
}

async function mintEmailLink(ctx: Ctx, held: HeldAccountEmail, context: LinkContext) {
  const { id, userId, authEpoch, sentTo } = held;
  return mintLink(ctx, {
    userId,
    context,
    sentTo,
    // Whatever invalidates a person's links also deletes the email from the outbox or increments the epoch.
    isDue: async (tx, recipient) =>
      recipient.authEpoch === authEpoch && (await tx.db.mailOutbox.count({ where: { id } })) > 0,
  });
}
