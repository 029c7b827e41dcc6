import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { deactivateInTransaction } from "../users/deactivate-user.ts";
import { lockLeavingUser } from "../users/lock-user.ts";
import type { ChangeTarget } from "./change-directory-user.ts";
import { requireDirectoryWriter } from "./guard.ts";
import { noteProvisioning } from "./note-provisioning.ts";
import { lockResource } from "./read-resource.ts";

/**
 * Removes a user from the workspace: revokes sessions and links, and frees the user name. The row is kept
 * for the history, but no longer found.
 *
 * @throws {DomainError} forbidden; not_found; precondition_failed; invalid_state for the last owner.
 * @see RFC 7644, 3.6.
 */
export async function deleteDirectoryUser(ctx: Ctx, { id, ...condition }: ChangeTarget): Promise<void> {
  requireDirectoryWriter(ctx);
  await ctx.transaction(async (tx) => {
    await lockResource(tx, { type: "User", id, members: "none" }, condition);
    const appended = await deactivateInTransaction(tx, await lockLeavingUser(tx, id), "deleted");
    await noteProvisioning(tx);
    append(tx, appended);
  }, "urgent");
}
