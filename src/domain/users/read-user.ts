import { sql } from "../../db/sql.ts";
import { selectList } from "../../db/columns.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireRole } from "../kernel/guard.ts";
import { USER_VIEWS, type UserView } from "./user-view.ts";

/**
 * Reads one member of the workspace.
 *
 * @throws {DomainError} forbidden unless the caller is a person; not_found, also for a deleted person.
 */
export async function readUser(ctx: Ctx, userId: string): Promise<UserView> {
  const user = await findUser(ctx, userId);
  if (user === null) throw createNotFoundError("user");
  return user;
}

/**
 * Finds one member of the workspace; null for a deleted person.
 *
 * @throws {DomainError} forbidden unless the caller is a person.
 */
export async function findUser(ctx: Ctx, userId: string | null): Promise<UserView | null> {
  requireRole(ctx, "viewer");
  if (userId === null) return null;
  const [user = null] = await ctx.read(READ, [ctx.workspaceId, userId]);
  return user;
}

const READ = sql<UserView>`SELECT ${selectList("u", USER_VIEWS)} FROM ${USER_VIEWS.name} u WHERE workspace_id = $1::uuid AND id = $2::uuid`;
