import type { Transaction } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { setEmail } from "../../domain/users/set-email.ts";
import { type Link, type LinkServices, findLink, openLinkCtx } from "../emails/find-link.ts";
import { consumeLink } from "../emails/consume-link.ts";
import type { ClientInfo } from "../sessions/client-info.ts";

/**
 * Changes the email address to the one that the link was sent to. All mailed links of the person become
 * invalid, sessions stay valid, and the old address is notified.
 *
 * @returns "invalid" if the link is unknown, used, expired or invalidated, or if another person of the
 *   workspace has the address. Then nothing is written.
 */
export async function completeEmailChange(
  services: LinkServices,
  token: string,
  seen: ClientInfo,
): Promise<"done" | "invalid"> {
  const link = await findLink(services, "email_change", token);
  if (link === null) return "invalid";
  try {
    return await openLinkCtx(services, link, seen).transaction((tx) => change(tx, link));
  } catch (error) {
    if (error instanceof DomainError && error.code === "validation_failed") return "invalid";
    throw error;
  }
}

async function change(tx: Transaction, link: Link): Promise<"done" | "invalid"> {
  const used = await consumeLink(tx, link);
  if (used === null) return "invalid";
  const { user, sentTo } = used;
  const { id: userId, generation } = user;
  await setEmail(tx, userId, sentTo);
  const action = "user.email_changed";
  append(tx, {
    events: [{ type: action, subjectType: "user", subjectId: userId, data: { generation: generation + 1 } }],
    totals: [{ collection: "users", from: null, to: null }],
    audit: [{ action, targetType: "user", targetId: userId }],
  });
  return "done";
}
