import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";
import { lockUser } from "../../domain/users/lock-user.ts";
import { endSessions } from "../sessions/end-sessions.ts";
import { noteFactorChange } from "./factor-change.ts";
import { settleFactors } from "./settle-factors.ts";

/**
 * Removes all second factors of a member who has lost them, and ends the member's sessions: whoever found them may be
 * logged in. The password stays.
 *
 * @throws {DomainError} forbidden below owner; sudo_required; not_found; invalid_state without a second factor.
 */
export async function removeUserFactors(ctx: Ctx, userId: string): Promise<void> {
  requireSudo(ctx, "owner");
  await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user.hasSecondFactor) {
      throw new DomainError("invalid_state", "The member has no second factor.");
    }
    await tx.db.totpFactor.deleteMany({ where: { userId } });
    await tx.db.passkey.deleteMany({ where: { userId } });
    append(tx, await endSessions(tx, userId, { which: "all", reason: "factors_removed" }));
    const hasFactor = await settleFactors(tx, userId);
    await noteFactorChange(tx, user, {
      action: "user.factors_removed",
      news: "removed_by_owner",
      hasFactor,
    });
  }, "urgent");
}
