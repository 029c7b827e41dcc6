import { NOW, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireRank, requireSudo } from "../kernel/guard.ts";
import { lockUser } from "./lock-user.ts";

/**
 * Allows a suspended member to log in again. Revoked sessions and links stay revoked. Nothing changes if
 * the member is not suspended.
 *
 * @throws {DomainError} forbidden below admin, and for a member with a higher role than the caller;
 *   sudo_required; not_found.
 */
export async function unsuspendUser(ctx: Ctx, userId: string): Promise<void> {
  requireSudo(ctx, "admin");
  await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    requireRank(ctx, user.role);
    if (user.suspendedAt === null) return;
    await tx.run(UPDATE, [ctx.workspaceId, userId]);
    const data = { generation: user.generation + 1 };
    append(tx, {
      events: [{ type: "user.unsuspended", subjectType: "user", subjectId: userId, data }],
      totals: [{ collection: "users", from: null, to: null }],
      audit: [{ action: "user.unsuspended", targetType: "user", targetId: userId }],
    });
  });
}

const UPDATE = sql`
UPDATE "user" SET suspended_at = NULL, updated_at = ${NOW}, generation = generation + 1
  WHERE workspace_id = $1::uuid AND id = $2::uuid`;
