import type { Transaction } from "../../domain/context.ts";
import { DomainError } from "../../domain/errors.ts";
import { append } from "../../domain/events.ts";
import { setEmail } from "../../domain/users/set-email.ts";
import { type Link, type LinkServices, findLink, linkCtx } from "../letters/find-link.ts";
import { spendLink } from "../letters/spend-link.ts";
import type { Seen } from "../sessions/seen.ts";

/**
 * Gives a person the address that the link was sent to. Every mailed link dies, sessions stay, and the old
 * address is told.
 *
 * @returns "dead" for a link that is unknown, used, expired or invalidated, and for an address that another
 *   person of the workspace has; nothing was written then.
 */
export async function completeEmailChange(
  services: LinkServices,
  token: string,
  seen: Seen,
): Promise<"done" | "dead"> {
  const link = await findLink(services, "email_change", token);
  if (link === null) return "dead";
  try {
    return await linkCtx(services, link, seen).transaction((tx) => change(tx, link));
  } catch (error) {
    if (error instanceof DomainError && error.code === "validation_failed") return "dead";
    throw error;
  }
}

async function change(tx: Transaction, link: Link): Promise<"done" | "dead"> {
  const spent = await spendLink(tx, link);
  if (spent === null) return "dead";
  const { user, sentTo } = spent;
  const { id: userId, generation } = user;
  await setEmail(tx, userId, sentTo);
  const action = "user.email_changed";
  await append(tx, {
    events: [{ type: action, subjectType: "user", subjectId: userId, data: { generation: generation + 1 } }],
    totals: [{ collection: "users", from: null, to: null }],
    audit: [{ action, targetType: "user", targetId: userId }],
  });
  return "done";
}
