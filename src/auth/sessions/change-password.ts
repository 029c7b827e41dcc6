import type { Ctx, NewSession, Transaction } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireUser } from "../../domain/kernel/guard.ts";
import { queueEmail } from "../../domain/emails/queue-email.ts";
import { type LockedUser, lockUser } from "../../domain/users/lock-user.ts";
import { requireNewPassword } from "../require-new-password.ts";
import { writePassword } from "../write-password.ts";
import { endSessions } from "./end-sessions.ts";
import { insertSession } from "./insert-session.ts";
import { verifyOwnPassword } from "./own-password.ts";
import type { SessionServices } from "./session-services.ts";

/** The fields of the password form. */
export type PasswordChange = {
  currentPassword: string;
  newPassword: string;
  newPasswordConfirmation: string;
};

/**
 * Changes the caller's password. This browser gets a new session; all other sessions and all mailed links
 * of the person become invalid. The new session is sudo, unless the person has a second factor: a password alone
 * confirms nothing then.
 *
 * @throws {DomainError} forbidden unless the caller is a person; validation_failed; rate_limited after ten
 *   wrong passwords within 15 minutes; invalid_state if the password was changed concurrently; unauthenticated if the
 *   session was ended concurrently.
 */
export async function changePassword(
  ctx: Ctx,
  services: SessionServices,
  input: PasswordChange,
): Promise<void> {
  const { id: userId } = requireUser(ctx);
  const { passwords, sessions } = services;
  const fields = ["newPassword", "newPasswordConfirmation"] as const;
  // The rules that need no account come before the current password is hashed.
  requireNewPassword(input, fields, { email: null, min: passwords.min });
  const current = { field: "currentPassword", password: input.currentPassword };
  const account = await verifyOwnPassword(ctx, services, current);
  const password = requireNewPassword(input, fields, { email: account.email, min: passwords.min });
  const hashedPassword = await passwords.hash(password, ctx.workspaceId);
  const session = await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user.authEpoch !== account.authEpoch) {
      throw new DomainError(
        "invalid_state",
        "The password has just been changed in another session. Log in with the new one.",
      );
    }
    return change(tx, user, { hashedPassword, maxDays: sessions.maxDays });
  }, "urgent");
  ctx.handSession(session);
}

async function change(
  tx: Transaction,
  user: LockedUser,
  { hashedPassword, maxDays }: { hashedPassword: string; maxDays: number },
): Promise<NewSession> {
  const { db, ctx } = tx;
  const { id: userId, email } = user;
  const { session: own } = requireUser(ctx);
  const current = await db.userToken.findFirst({
    where: { id: own.id },
    select: {
      remembered: true,
      authenticatedAt: true,
      providerId: true,
      providerSid: true,
      sealedIdToken: true,
      mfaAt: true,
    },
  });
  if (current === null) throw new DomainError("unauthenticated", "Your session has ended. Log in again.");
  const ended = await endSessions(tx, userId, { which: "all", reason: "password_changed" });
  const written = { hashedPassword, name: null, confirms: false };
  const { authEpoch, generation } = await writePassword(tx, user, written);
  const session = await insertSession(tx, {
    userId,
    familyId: own.familyId,
    remembered: current.remembered,
    authEpoch,
    authenticatedAt: user.hasSecondFactor ? current.authenticatedAt : null,
    providerId: current.providerId,
    providerSession: { sid: current.providerSid, sealedIdToken: current.sealedIdToken },
    mfaAt: current.mfaAt,
    maxDays,
  });
  if (email !== null) {
    const data = { ip: ctx.ip, userAgent: ctx.userAgent };
    await queueEmail(tx, { userId, kind: "password_changed", sentTo: email, authEpoch, data });
  }
  const action = "user.password_changed";
  append(tx, {
    ...ended,
    events: [{ type: action, subjectType: "user", subjectId: userId, data: { generation } }, ...ended.events],
    totals: [{ collection: "users", from: null, to: null }],
    audit: [{ action, targetType: "user", targetId: userId }, ...ended.audit],
  });
  return session;
}
