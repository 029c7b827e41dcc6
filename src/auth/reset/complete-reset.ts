import type { Transaction } from "../../domain/kernel/context.ts";
import { append } from "../../domain/kernel/events.ts";
import { queueEmail } from "../../domain/emails/queue-email.ts";
import { type Link, type LinkServices, findLink, openLinkCtx } from "../emails/find-link.ts";
import { consumeLink } from "../emails/consume-link.ts";
import type { PasswordHasher } from "../passwords.ts";
import { type NewPassword, requireNewPassword } from "../require-new-password.ts";
import { forgetFailures } from "../sessions/log-in-attempt.ts";
import type { ClientInfo } from "../sessions/client-info.ts";
import { writePassword } from "../write-password.ts";

/**
 * Sets a new password by a reset link, which works only once. Deletes all sessions and links of the person,
 * closes live connections, confirms an unconfirmed account and resets the count of failed log-ins.
 *
 * @returns "invalid" if the link is unknown, used, expired, or invalidated by an address change, a
 *   suspension or another reset. Then nothing is written.
 * @throws {DomainError} validation_failed at password or passwordConfirmation; unavailable if too many
 *   passwords wait to be hashed. The link stays valid.
 */
export async function completeReset(
  services: LinkServices & { passwords: PasswordHasher },
  input: NewPassword & { token: string },
  seen: ClientInfo,
): Promise<"done" | "invalid"> {
  const link = await findLink(services, "reset_password", input.token);
  if (link === null) return "invalid";
  const { passwords } = services;
  const rules = { email: link.email, min: passwords.min };
  const password = requireNewPassword(input, ["password", "passwordConfirmation"], rules);
  const hashedPassword = await passwords.hash(password);
  const outcome = await openLinkCtx(services, link, seen).transaction(
    (tx) => reset(tx, link, hashedPassword),
    "urgent",
  );
  if (outcome === "done" && link.email !== null) await forgetFailures(services, link.email, seen);
  return outcome;
}

async function reset(tx: Transaction, link: Link, hashedPassword: string): Promise<"done" | "invalid"> {
  const used = await consumeLink(tx, link);
  if (used === null) return "invalid";
  const { id: userId } = used.user;
  const { authEpoch, generation, isConfirmed } = await writePassword(tx, used.user, {
    hashedPassword,
    name: null,
    confirms: true,
  });
  const { ip, userAgent } = tx.ctx;
  const kind = "password_changed";
  await queueEmail(tx, { userId, kind, sentTo: used.sentTo, authEpoch, data: { ip, userAgent } });
  const action = "user.password_reset";
  append(tx, {
    events: [{ type: action, subjectType: "user", subjectId: userId, data: { generation } }],
    totals: [{ collection: "users", from: null, to: null }],
    audit: [{ action, targetType: "user", targetId: userId, changes: { confirmed: isConfirmed } }],
    revocations: [{ kind: "user", subjectId: userId, reason: "password_reset" }],
  });
  return "done";
}
