import type { Ctx } from "../../domain/kernel/context.ts";
import { createNotFoundError } from "../../domain/kernel/errors.ts";
import { requireSudo, requireUser } from "../../domain/kernel/guard.ts";
import { lockUser } from "../../domain/users/lock-user.ts";
import { noteFactorChange } from "../factors/factor-change.ts";
import { settleFactors } from "../factors/settle-factors.ts";

/**
 * Removes a passkey of the caller, and with the last factor the recovery codes. Sessions go on.
 *
 * @throws {DomainError} forbidden unless the caller is a person; sudo_required; not_found, also for another person's.
 */
export async function removePasskey(ctx: Ctx, id: string): Promise<void> {
  const { id: userId } = requireUser(ctx);
  requireSudo(ctx, "viewer");
  await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    const { count } = await tx.db.passkey.deleteMany({ where: { id, userId } });
    if (count === 0) throw createNotFoundError("passkey");
    const hasFactor = await settleFactors(tx, userId);
    const changes = { factor: "passkey", passkey_id: id };
    await noteFactorChange(tx, user, {
      action: "user.factor_removed",
      news: "removed",
      changes,
      hasFactor,
    });
  });
}
