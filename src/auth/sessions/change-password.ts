import type { Ctx, NewSession, Transaction } from "../../domain/context.ts";
import { DomainError, invalid } from "../../domain/errors.ts";
import { append } from "../../domain/events.ts";
import { requirePerson } from "../../domain/guard.ts";
import { queueLetter } from "../../domain/letters/queue-letter.ts";
import { type LockedUser, lockUser } from "../../domain/users/lock-user.ts";
import { passwordProblem } from "../password-rules.ts";
import { endSessions } from "./end-sessions.ts";
import { insertSession } from "./insert-session.ts";
import { verifyOwnPassword } from "./own-password.ts";
import type { SessionServices } from "./session-services.ts";

/** What the form of a new password holds. */
export type NewPassword = {
  currentPassword: string;
  newPassword: string;
  newPasswordConfirmation: string;
};

/**
 * Gives the caller's person another password. This browser stays in, by a new session; every other one,
 * and every mailed link, ends.
 *
 * @throws {DomainError} forbidden for anybody but a person; validation_failed; rate_limited after ten
 *   wrong passwords within 15 minutes; invalid_state where the password was changed at the same time.
 */
export async function changePassword(ctx: Ctx, services: SessionServices, input: NewPassword): Promise<void> {
  const { id: userId } = requirePerson(ctx);
  const { currentPassword, newPassword, newPasswordConfirmation } = input;
  const account = await verifyOwnPassword(ctx, services, {
    field: "currentPassword",
    password: currentPassword,
  });
  const problem = passwordProblem(newPassword, { email: account.email, min: services.passwords.min });
  if (problem !== null) throw invalid("newPassword", problem);
  if (newPassword !== newPasswordConfirmation) throw invalid("newPasswordConfirmation", "is not the same");
  const hashedPassword = await services.passwords.hash(newPassword);
  const session = await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user.authEpoch !== account.authEpoch) {
      throw new DomainError("invalid_state", "The password was changed at the same time elsewhere.");
    }
    return writePassword(tx, user, { hashedPassword, maxDays: services.sessions.maxDays });
  });
  ctx.handSession(session);
}

async function writePassword(
  tx: Transaction,
  user: LockedUser,
  { hashedPassword, maxDays }: { hashedPassword: string; maxDays: number },
): Promise<NewSession> {
  const { db, ctx } = tx;
  const { session: own } = requirePerson(ctx);
  const authEpoch = user.authEpoch + 1;
  const current = await db.userToken.findFirst({ where: { id: own.id }, select: { remembered: true } });
  await db.$queryRawUnsafe(
    `UPDATE "user" SET hashed_password = $3, auth_epoch = $4, generation = generation + 1,
       updated_at = COALESCE($5::timestamptz, now())
     WHERE workspace_id = $1::uuid AND id = $2::uuid`,
    ...[ctx.workspaceId, user.id, hashedPassword, authEpoch, ctx.now],
  );
  const ended = await endSessions(tx, user.id, { which: "all", reason: "password_changed" });
  await db.userToken.deleteMany({ where: { userId: user.id } });
  const session = await insertSession(tx, {
    userId: user.id,
    familyId: own.familyId,
    remembered: current?.remembered ?? false,
    authEpoch,
    authenticatedAt: null,
    maxDays,
  });
  if (user.email !== null) {
    const data = { ip: ctx.ip, userAgent: ctx.userAgent };
    await queueLetter(tx, { userId: user.id, kind: "password_changed", sentTo: user.email, authEpoch, data });
  }
  const changed = { subjectType: "user", subjectId: user.id, data: { generation: user.generation + 1 } };
  await append(tx, {
    ...ended,
    events: [{ type: "user.password_changed", ...changed }, ...ended.events],
    totals: [{ collection: "users", from: null, to: null }],
    audit: [{ action: "user.password_changed", targetType: "user", targetId: user.id }, ...ended.audit],
  });
  return session;
}
