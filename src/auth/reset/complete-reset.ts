import type { Transaction } from "../../domain/context.ts";
import { append } from "../../domain/events.ts";
import { queueLetter } from "../../domain/letters/queue-letter.ts";
import { clearHits } from "../../domain/throttle.ts";
import { type Link, type LinkServices, findLink, linkCtx } from "../letters/find-link.ts";
import { spendLink } from "../letters/spend-link.ts";
import type { PasswordHasher } from "../passwords.ts";
import { type NewPassword, requireNewPassword } from "../require-new-password.ts";
import { emailKey } from "../sessions/log-in-attempt.ts";
import type { Seen } from "../sessions/seen.ts";
import { writePassword } from "../write-password.ts";

/**
 * Sets a new password by a reset link, which works once. Every token that the person holds is deleted,
 * live sessions are told, an unconfirmed account is confirmed, and failed log-ins are forgotten.
 *
 * @returns "dead" for a link that is unknown, used, expired, or invalidated by a change of the address, a
 *   suspension or another reset; nothing was written then.
 * @throws {DomainError} validation_failed at password or passwordConfirmation, and unavailable where too
 *   many passwords wait to be hashed; the link stays alive.
 */
export async function completeReset(
  services: LinkServices & { passwords: PasswordHasher },
  input: NewPassword & { token: string },
  seen: Seen,
): Promise<"done" | "dead"> {
  const link = await findLink(services, "reset_password", input.token);
  if (link === null) return "dead";
  const { passwords } = services;
  const rules = { email: link.email, min: passwords.min };
  const password = requireNewPassword(input, ["password", "passwordConfirmation"], rules);
  const hashedPassword = await passwords.hash(password);
  const outcome = await linkCtx(services, link, seen).transaction(
    (tx) => reset(tx, link, hashedPassword),
    "urgent",
  );
  if (outcome === "done" && link.email !== null) await clearHits(services, emailKey(link.email));
  return outcome;
}

async function reset(tx: Transaction, link: Link, hashedPassword: string): Promise<"done" | "dead"> {
  const spent = await spendLink(tx, link);
  if (spent === null) return "dead";
  const { id: userId } = spent.user;
  const { authEpoch, generation, isConfirmed } = await writePassword(tx, spent.user, {
    hashedPassword,
    name: null,
    confirms: true,
  });
  const { ip, userAgent } = tx.ctx;
  const kind = "password_changed";
  await queueLetter(tx, { userId, kind, sentTo: spent.sentTo, authEpoch, data: { ip, userAgent } });
  const action = "user.password_reset";
  await append(tx, {
    events: [{ type: action, subjectType: "user", subjectId: userId, data: { generation } }],
    totals: [{ collection: "users", from: null, to: null }],
    audit: [{ action, targetType: "user", targetId: userId, changes: { confirmed: isConfirmed } }],
    revocations: [{ kind: "user", subjectId: userId, reason: "password_reset" }],
  });
  return "done";
}
