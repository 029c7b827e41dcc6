import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { requireSudo, requireUser } from "../../domain/kernel/guard.ts";
import { lockUser } from "../../domain/users/lock-user.ts";
import { noteFactorEvent } from "./factor-change.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";

/**
 * Replaces all of the caller's recovery codes.
 *
 * @returns the new codes, shown once.
 * @throws {DomainError} forbidden unless the caller is a person; sudo_required; invalid_state without a second factor.
 */
export async function renewRecoveryCodes(ctx: Ctx): Promise<string[]> {
  const { id: userId } = requireUser(ctx);
  requireSudo(ctx, "viewer");
  return ctx.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user.hasSecondFactor) {
      throw new DomainError(
        "invalid_state",
        "Recovery codes take the place of a second factor. Add one first.",
      );
    }
    const codes = await replaceRecoveryCodes(tx, userId);
    await noteFactorEvent(tx, user, {
      action: "user.recovery_codes_renewed",
      news: "codes_renewed",
    });
    return codes;
  });
}
