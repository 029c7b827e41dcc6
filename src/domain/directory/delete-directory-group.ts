import type { Ctx } from "../kernel/context.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import type { ChangeTarget } from "./change-directory-user.ts";
import { replaceMembers } from "./group-members.ts";
import { requireDirectoryWriter } from "./guard.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { noteProvisioning } from "./note-provisioning.ts";
import { lockResource } from "./read-resource.ts";
import { refreshRoles } from "./refresh-roles.ts";

/**
 * Deletes a group. Its members stay in the workspace, without the group's role.
 *
 * @throws {DomainError} forbidden; not_found; precondition_failed.
 * @see RFC 7644, 3.6.
 */
export async function deleteDirectoryGroup(ctx: Ctx, { id, ...condition }: ChangeTarget): Promise<void> {
  requireDirectoryWriter(ctx);
  await ctx.transaction(async (tx) => {
    const group = await lockResource(tx, { type: "Group", id, members: "none" }, condition);
    const { removed } = await replaceMembers(tx, id, []);
    await tx.db.group.deleteMany({ where: { id } });
    const roles = group.role === null ? { events: [] } : await refreshRoles(tx, removed);
    await noteProvisioning(tx);
    const data = { removed: removed.length };
    const batch: AppendContent = {
      events: [{ type: "group.deleted", subjectType: "group", subjectId: id, data }],
      totals: [{ collection: "groups", from: null }],
      audit: [{ action: "group.deleted", targetType: "group", targetId: id }],
    };
    append(tx, mergeAppends(batch, roles));
  }, "urgent");
}
