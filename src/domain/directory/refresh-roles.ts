import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import { type Role, isAtLeast } from "../kernel/scopes.ts";

type Changed = { id: string; role: Role; before: Role; generation: number };

/**
 * Sets each person's role to the highest of their groups, or viewer. Call it after a change of a mapped
 * group's members or role. Owners stay owners.
 *
 * @returns what the caller must append.
 */
export async function refreshRoles(
  { run, ctx }: Transaction,
  userIds: readonly string[],
): Promise<AppendContent> {
  if (userIds.length === 0) return { events: [] };
  // Roles are declared from highest to lowest, so MIN gives the highest.
  const changed = await run(UPDATE, [ctx.workspaceId, [...userIds]]);
  return {
    events: changed.map(({ id, role, generation }) => ({
      type: "user.updated",
      subjectType: "user",
      subjectId: id,
      data: { generation, role },
    })),
    totals: changed.map(() => ({ collection: "users", from: null, to: null })),
    audit: changed.map(({ id, role, before }) => ({
      action: "user.role_changed",
      targetType: "user",
      targetId: id,
      changes: { role: { from: before, to: role } },
    })),
    // A lower role closes the sockets that were opened with the higher one.
    revocations: changed
      .filter(({ role, before }) => !isAtLeast(role, before))
      .map(({ id }) => ({ kind: "user", subjectId: id, reason: "role_changed" })),
  };
}

const UPDATE = sql<Changed>`
WITH due AS (
  SELECT u.id, u.role AS before, COALESCE((
    SELECT min(g.role) FROM group_member m JOIN "group" g ON g.workspace_id = m.workspace_id AND g.id = m.group_id
    WHERE m.workspace_id = u.workspace_id AND m.user_id = u.id), 'viewer') AS role
  FROM "user" u WHERE u.workspace_id = $1::uuid AND u.id = ANY ($2::uuid[]) AND u.deleted_at IS NULL AND u.role <> 'owner'
  ORDER BY u.id FOR NO KEY UPDATE OF u
)
UPDATE "user" u SET role = due.role, generation = u.generation + 1, updated_at = ${NOW}
FROM due WHERE u.workspace_id = $1::uuid AND u.id = due.id AND u.role <> due.role
RETURNING u.id, u.role::text AS role, due.before::text AS before, u.generation`;
