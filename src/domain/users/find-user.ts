import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireRole } from "../kernel/guard.ts";

/**
 * Finds the id of the person with an e-mail address, whatever its case.
 *
 * @throws {DomainError} forbidden for less than an admin; not_found.
 */
export async function findUserIdByEmail(ctx: Ctx, email: string): Promise<string> {
  requireRole(ctx, "admin");
  const [user] = await ctx.read<{ id: string }>(
    {
      name: "find_user_by_email",
      text: `SELECT id FROM "user" WHERE workspace_id = $1::uuid AND lower(email) = lower($2) AND deleted_at IS NULL`,
    },
    [ctx.workspaceId, email.trim()],
  );
  if (user === undefined) throw createNotFoundError("user");
  return user.id;
}
