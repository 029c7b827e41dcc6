import type { Ctx } from "../../domain/kernel/context.ts";
import { createNotFoundError } from "../../domain/kernel/errors.ts";
import { requireSudo, requireUser } from "../../domain/kernel/guard.ts";
import { lockUser } from "../../domain/users/lock-user.ts";
import { noteFactorChange } from "./factor-change.ts";
import { settleFactors } from "./settle-factors.ts";

/**
 * Removes the caller's authenticator app, and with the last factor the recovery codes. Sessions go on.
 *
 * @throws {DomainError} forbidden unless the caller is a person; sudo_required; not_found without an app.
 */
export async function removeTotp(ctx: Ctx): Promise<void> {
  const { id: userId } = requireUser(ctx);
  requireSudo(ctx, "viewer");
  await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    const { count } = await tx.db.totpFactor.deleteMany({ where: { userId } });
    if (count === 0) throw createNotFoundError("authenticator app");
    const hasFactor = await settleFactors(tx, userId);
    const changes = { factor: "totp" };
    await noteFactorChange(tx, user, {
      action: "user.factor_removed",
      news: "removed",
      changes,
      hasFactor,
    });
  });
}
