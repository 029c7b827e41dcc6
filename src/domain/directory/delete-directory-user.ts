import type { Ctx, Transaction } from "../context.ts";
import { type Appended, append } from "../events.ts";
import { deactivateWithin } from "../users/deactivate-user.ts";
import { lockLeavingUser } from "../users/lock-user.ts";
import type { ChangeTarget } from "./change-directory-user.ts";
import { requireDirectoryWriter } from "./guard.ts";
import { joined } from "./joined.ts";
import { noteProvisioning } from "./note-provisioning.ts";
import { lockResource } from "./read-resource.ts";

/**
 * Takes a person out of the workspace: every session and link ends, the user name is free again. The row
 * stays for the history and is found by nobody.
 *
 * @throws {DomainError} forbidden; not_found; precondition_failed; invalid_state for the last owner.
 * @see RFC 7644, 3.6.
 */
export async function deleteDirectoryUser(ctx: Ctx, { id, ifMatch }: ChangeTarget): Promise<void> {
  requireDirectoryWriter(ctx);
  await ctx.transaction(async (tx) => {
    await lockResource(tx, { type: "User", id, members: "none" }, ifMatch);
    const appended = await deactivateWithin(tx, await lockLeavingUser(tx, id), "deleted");
    const left = await leaveGroups(tx, id);
    await forgetProfile(tx, id);
    await noteProvisioning(tx);
    await append(tx, joined(appended, left));
  });
}

async function leaveGroups({ db, ctx }: Transaction, userId: string): Promise<Appended> {
  const groups = await db.$queryRawUnsafe<{ id: string; generation: number }[]>(
    `WITH gone AS (
       DELETE FROM group_member WHERE workspace_id = $1::uuid AND user_id = $2::uuid RETURNING group_id
     )
     UPDATE "group" SET generation = generation + 1, updated_at = COALESCE($3::timestamptz, now())
     WHERE workspace_id = $1::uuid AND id IN (SELECT group_id FROM gone) RETURNING id, generation`,
    ...[ctx.workspaceId, userId, ctx.now],
  );
  return {
    events: groups.map(({ id, generation }) => ({
      type: "group.updated",
      subjectType: "group",
      subjectId: id,
      data: { generation, added: 0, removed: 1 },
    })),
    totals: groups.map(() => ({ collection: "groups", from: null, to: null })),
  };
}

async function forgetProfile({ db, ctx }: Transaction, userId: string): Promise<void> {
  await db.userEmail.deleteMany({ where: { userId } });
  await db.$queryRawUnsafe(
    `UPDATE "user" SET external_id = NULL, profile = '{}' WHERE workspace_id = $1::uuid AND id = $2::uuid`,
    ...[ctx.workspaceId, userId],
  );
}
