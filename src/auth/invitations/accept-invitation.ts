import { z } from "zod";
import type { Transaction } from "../../domain/context.ts";
import { append } from "../../domain/events.ts";
import { parseInput, nameInLetters } from "../../domain/input.ts";
import { LIMITS } from "../../domain/limits.ts";
import { clearHits } from "../../domain/throttle.ts";
import { type Link, type LinkServices, findLink, linkCtx } from "../letters/find-link.ts";
import { spendLink } from "../letters/spend-link.ts";
import type { PasswordHasher } from "../passwords.ts";
import { type NewPassword, requireNewPassword } from "../require-new-password.ts";
import { emailKey } from "../sessions/log-in-attempt.ts";
import type { Seen } from "../sessions/seen.ts";
import { type WrittenPassword, writePassword } from "../write-password.ts";

const shape = z.object({ name: nameInLetters(LIMITS.nameLength).nullish() });

/**
 * Lets an invited person in: sets the password, and the name where one is given, and confirms the account.
 * The link works once; every other token of the person is used up too.
 *
 * @returns "dead" for a link that is unknown, used, expired or invalidated; nothing was written then.
 * @throws {DomainError} validation_failed at name, password or passwordConfirmation, and unavailable where
 *   too many passwords wait to be hashed; the link stays alive.
 */
export async function acceptInvitation(
  services: LinkServices & { passwords: PasswordHasher },
  input: NewPassword & z.input<typeof shape> & { token: string },
  seen: Seen,
): Promise<"done" | "dead"> {
  const link = await findLink(services, "invitation", input.token);
  if (link === null) return "dead";
  const { passwords } = services;
  const { name = null } = parseInput(shape, input);
  const rules = { email: link.email, min: passwords.min };
  const password = requireNewPassword(input, ["password", "passwordConfirmation"], rules);
  const hashedPassword = await passwords.hash(password);
  const ctx = linkCtx(services, link, seen);
  const outcome = await ctx.transaction((tx) => accept(tx, link, { hashedPassword, name, confirms: true }));
  if (outcome === "done" && link.email !== null) await clearHits(services, emailKey(link.email));
  return outcome;
}

async function accept(tx: Transaction, link: Link, chosen: WrittenPassword): Promise<"done" | "dead"> {
  const spent = await spendLink(tx, link);
  if (spent === null) return "dead";
  const { id } = spent.user;
  const { generation } = await writePassword(tx, spent.user, chosen);
  const action = "user.invitation_accepted";
  await append(tx, {
    events: [{ type: action, subjectType: "user", subjectId: id, data: { generation } }],
    totals: [{ collection: "users", from: null, to: null }],
    audit: [{ action, targetType: "user", targetId: id }],
    revocations: [{ kind: "user", subjectId: id, reason: "invitation_accepted" }],
  });
  return "done";
}
