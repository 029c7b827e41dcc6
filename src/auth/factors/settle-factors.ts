import type { Transaction } from "../../domain/kernel/context.ts";
import { append } from "../../domain/kernel/events.ts";

/**
 * After a removal: without any factor, the recovery codes are deleted, and the person's sessions count as begun by
 * password alone. Where a second factor is required, they may do nothing but add another one.
 *
 * @returns whether a factor is left.
 */
export async function settleFactors(tx: Transaction, userId: string): Promise<boolean> {
  const { db } = tx;
  const own = { where: { userId } };
  if ((await db.totpFactor.count(own)) + (await db.passkey.count(own)) > 0) return true;
  await db.recoveryCode.deleteMany({ where: { userId } });
  await db.userToken.updateMany({ where: { userId, context: "session" }, data: { mfaAt: null } });
  append(tx, { events: [], revocations: [{ kind: "user", subjectId: userId, reason: "mfa_required" }] });
  return false;
}
