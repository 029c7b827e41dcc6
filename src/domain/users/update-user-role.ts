import { NOW, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireRank, requireSudo } from "../kernel/guard.ts";
import { type Role, isAtLeast } from "../kernel/scopes.ts";
import { lockLeavingUser, lockUser } from "./lock-user.ts";

/**
 * Changes a member's role, from the next request on; a lower role closes open sockets. Where sign-in by the provider is
 * enforced, an owner who becomes less is logged out: the password may have counted only until then. Nothing changes if
 * the member already has the role.
 *
 * @throws {DomainError} forbidden below admin, for a member with a higher role than the caller and for a
 *   role above the caller's; sudo_required; not_found; invalid_state for the last owner.
 */
export async function updateUserRole(ctx: Ctx, userId: string, role: Role): Promise<void> {
  requireSudo(ctx, "admin");
  requireRank(ctx, role);
  await ctx.transaction(async (tx) => {
    const lock = role === "owner" ? lockUser : lockLeavingUser;
    const user = await lock(tx, userId);
    requireRank(ctx, user.role);
    if (user.role === role) return;
    await tx.run(UPDATE, [ctx.workspaceId, userId, role]);
    const data = { generation: user.generation + 1, role };
    const changes = { role: { from: user.role, to: role } };
    const isLower = !isAtLeast(role, user.role);
    append(tx, {
      events: [{ type: "user.updated", subjectType: "user", subjectId: userId, data }],
      totals: [{ collection: "users", from: null, to: null }],
      audit: [{ action: "user.role_changed", targetType: "user", targetId: userId, changes }],
      revocations: isLower ? [{ kind: "user", subjectId: userId, reason: "role_changed" }] : [],
    });
  }, "urgent");
}

const UPDATE = sql`
UPDATE "user" SET role = $3::role, updated_at = ${NOW}, generation = generation + 1,
  auth_epoch = auth_epoch + (role = 'owner' AND $3::role <> 'owner' AND EXISTS (
    SELECT 1 FROM sign_in_provider p WHERE p.workspace_id = $1::uuid AND p.enforced))::int
  WHERE workspace_id = $1::uuid AND id = $2::uuid`;
