import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireRole } from "../kernel/guard.ts";

/**
 * Finds a person's id by email address, not case-sensitively.
 *
 * @throws {DomainError} forbidden below admin; not_found.
 */
export async function findUserIdByEmail(ctx: Ctx, email: string): Promise<string> {
  requireRole(ctx, "admin");
  const [user] = await ctx.read(FIND, [ctx.workspaceId, email.trim()]);
  if (user === undefined) throw createNotFoundError("user");
  return user.id;
}

const FIND = sql<{ id: string }>`
SELECT id FROM "user" WHERE workspace_id = $1::uuid AND lower(email) = lower($2) AND deleted_at IS NULL`;
