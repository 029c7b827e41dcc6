import { z } from "zod";
import type { Transaction } from "../../domain/kernel/context.ts";
import { append } from "../../domain/kernel/events.ts";
import { parseInput, nameInEmails } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { type Link, type LinkServices, findLink, openLinkCtx } from "../emails/find-link.ts";
import { consumeLink } from "../emails/consume-link.ts";
import type { PasswordHasher } from "../passwords.ts";
import { type NewPassword, requireNewPassword } from "../require-new-password.ts";
import { forgetFailures } from "../sessions/log-in-attempt.ts";
import type { ClientInfo } from "../sessions/client-info.ts";
import { type WrittenPassword, writePassword } from "../write-password.ts";

const shape = z.object({ name: nameInEmails(LIMITS.nameLength).nullish() });

/**
 * Accepts an invitation: sets the password and, if given, the name, and confirms the account. The link
 * works only once; all other tokens of the person become invalid.
 *
 * @returns "invalid" if the link is unknown, used, expired or invalidated. Then nothing is written.
 * @throws {DomainError} validation_failed at name, password or passwordConfirmation; unavailable if too
 *   many passwords wait to be hashed. The link stays valid.
 */
export async function acceptInvitation(
  services: LinkServices & { passwords: PasswordHasher },
  input: NewPassword & z.input<typeof shape> & { token: string },
  seen: ClientInfo,
): Promise<"done" | "invalid"> {
  const link = await findLink(services, "invitation", input.token);
  if (link === null) return "invalid";
  const { passwords } = services;
  const { name = null } = parseInput(shape, input);
  const rules = { email: link.email, min: passwords.min };
  const password = requireNewPassword(input, ["password", "passwordConfirmation"], rules);
  const hashedPassword = await passwords.hash(password);
  const ctx = openLinkCtx(services, link, seen);
  const outcome = await ctx.transaction((tx) => accept(tx, link, { hashedPassword, name, confirms: true }));
  if (outcome === "done" && link.email !== null) await forgetFailures(services, link.email, seen);
  return outcome;
}

async function accept(tx: Transaction, link: Link, chosen: WrittenPassword): Promise<"done" | "invalid"> {
  const used = await consumeLink(tx, link);
  if (used === null) return "invalid";
  const { id } = used.user;
  const { generation } = await writePassword(tx, used.user, chosen);
  const action = "user.invitation_accepted";
  append(tx, {
    events: [{ type: action, subjectType: "user", subjectId: id, data: { generation } }],
    totals: [{ collection: "users", from: null, to: null }],
    audit: [{ action, targetType: "user", targetId: id }],
    revocations: [{ kind: "user", subjectId: id, reason: "invitation_accepted" }],
  });
  return "done";
}
