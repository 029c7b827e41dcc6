import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireRank, requireSudo } from "../kernel/guard.ts";
import { deactivateInTransaction } from "./deactivate-user.ts";
import { lockLeavingUser } from "./lock-user.ts";

/**
 * Removes a member from the workspace permanently: everything that a suspension ends, and the address and
 * user name become free. The person's actions stay in the history.
 *
 * @throws {DomainError} forbidden below admin, and for a member with a higher role than the caller;
 *   sudo_required; not_found; invalid_state for the last owner.
 */
export async function deleteUser(ctx: Ctx, userId: string): Promise<void> {
  requireSudo(ctx, "admin");
  await ctx.transaction(async (tx) => {
    const user = await lockLeavingUser(tx, userId);
    requireRank(ctx, user.role);
    append(tx, await deactivateInTransaction(tx, user, "deleted"));
  }, "urgent");
}
