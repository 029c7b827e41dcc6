import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireRank, requireSudo } from "../kernel/guard.ts";
import { deactivateInTransaction } from "./deactivate-user.ts";
import { lockLeavingUser } from "./lock-user.ts";

/**
 * Takes a member out of the workspace for good: what a suspension ends ends, and address and user name
 * are free again. What the person did stays in the history.
 *
 * @throws {DomainError} forbidden for less than an admin, and for a member above the caller;
 *   sudo_required; not_found; invalid_state for the last owner.
 */
export async function deleteUser(ctx: Ctx, userId: string): Promise<void> {
  requireSudo(ctx, "admin");
  await ctx.transaction(async (tx) => {
    const user = await lockLeavingUser(tx, userId);
    requireRank(ctx, user.role);
    append(tx, await deactivateInTransaction(tx, user, "deleted"));
  });
}
