import type { Ctx, Transaction } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import { append } from "../events.ts";
import { requireRole } from "../guard.ts";

/**
 * Ends what a person can do at once, whatever the path: suspends the user and deletes every session,
 * reset link, e-mail change and invitation. API keys that the person made stay alive. A person who is
 * suspended already stays as he is.
 *
 * @throws {DomainError} forbidden for less than an admin; not_found; invalid_state for the last owner.
 */
export async function deactivateUser(ctx: Ctx, userId: string): Promise<void> {
  if (ctx.actor.type !== "scim") requireRole(ctx, "admin");
  await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user.suspendedAt !== null) return;
    await tx.db.$queryRawUnsafe(
      `UPDATE "user" SET suspended_at = COALESCE($3::timestamptz, now()), updated_at = COALESCE($3::timestamptz, now()),
         auth_epoch = auth_epoch + 1, generation = generation + 1
       WHERE workspace_id = $1::uuid AND id = $2::uuid`,
      ...[ctx.workspaceId, userId, ctx.now],
    );
    await tx.db.userToken.deleteMany({ where: { workspaceId: ctx.workspaceId, userId } });
    await append(tx, {
      events: [
        {
          type: "user.suspended",
          subjectType: "user",
          subjectId: userId,
          data: { generation: user.generation + 1 },
        },
      ],
      audit: [{ action: "user.suspended", targetType: "user", targetId: userId }],
      revocations: [{ kind: "user", subjectId: userId, reason: "user_suspended" }],
    });
  });
}

type LockedUser = { id: string; role: string; suspendedAt: Date | null; generation: number };

/** Locks the user and every owner, in one order: two suspensions at once can't take the last two owners. */
async function lockUser({ db, ctx }: Transaction, userId: string): Promise<LockedUser> {
  const locked = await db.$queryRawUnsafe<LockedUser[]>(
    `SELECT id, role::text, suspended_at AS "suspendedAt", generation FROM "user"
     WHERE workspace_id = $1::uuid AND (id = $2::uuid OR role = 'owner') AND deleted_at IS NULL
     ORDER BY id FOR UPDATE`,
    ...[ctx.workspaceId, userId],
  );
  const user = locked.find(({ id }) => id === userId);
  if (user === undefined) throw notFound("user");
  const others = locked.filter(({ id, suspendedAt }) => id !== userId && suspendedAt === null);
  if (user.role === "owner" && user.suspendedAt === null && !others.some(({ role }) => role === "owner")) {
    throw new DomainError("invalid_state", "The last owner of a workspace can't be suspended.");
  }
  return user;
}
