import type { Transaction } from "../../domain/kernel/context.ts";

/**
 * After a removal: without any factor, the recovery codes are deleted, and the person's sessions count as begun by
 * password alone.
 *
 * @returns whether a factor is left.
 */
export async function settleFactors({ db }: Transaction, userId: string): Promise<boolean> {
  if ((await db.totpFactor.count({ where: { userId } })) > 0) return true;
  await db.recoveryCode.deleteMany({ where: { userId } });
  await db.userToken.updateMany({ where: { userId, context: "session" }, data: { mfaAt: null } });
  return false;
}
