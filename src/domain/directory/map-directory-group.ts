import { NOW, sql } from "../../db/sql.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { requireSudo } from "../kernel/guard.ts";
import type { Role } from "../kernel/scopes.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { lockResource, rereadResource } from "./read-resource.ts";
import { refreshRoles } from "./refresh-roles.ts";
import type { Resource } from "./resource.ts";

/**
 * Maps a group to a role, which its members then have at least; null removes the role. Groups can't make
 * owners.
 *
 * @throws {DomainError} forbidden below admin; sudo_required; not_found; validation_failed for owner.
 */
export async function mapDirectoryGroup(ctx: Ctx, id: string, role: Role | null): Promise<Resource> {
  requireSudo(ctx, "admin");
  if (role === "owner") throw createFieldError("role", "can't be owner");
  const key = { type: "Group", id, members: "none" } as const;
  return ctx.transaction(async (tx) => {
    const before = await lockResource(tx, key, null);
    if (before.role === role) return before;
    await tx.run(UPDATE, [ctx.workspaceId, id, role]);
    const roles = await refreshRoles(tx, await listMemberIds(tx, id));
    const group = await rereadResource(tx, key);
    const changes = { from: before.role, to: role };
    const data = { generation: group.generation, role };
    const batch: AppendContent = {
      events: [{ type: "group.updated", subjectType: "group", subjectId: id, data }],
      totals: [{ collection: "groups", from: null, to: null }],
      audit: [{ action: "group.mapped", targetType: "group", targetId: id, changes }],
    };
    append(tx, mergeAppends(batch, roles));
    return group;
  }, "urgent");
}

const UPDATE = sql`
UPDATE "group" SET role = $3::role, generation = generation + 1, updated_at = ${NOW}
  WHERE workspace_id = $1::uuid AND id = $2::uuid`;

async function listMemberIds({ db }: Transaction, groupId: string): Promise<string[]> {
  const members = await db.groupMember.findMany({ where: { groupId }, select: { userId: true } });
  return members.map(({ userId }) => userId);
}
