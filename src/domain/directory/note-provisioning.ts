import type { Transaction } from "../kernel/context.ts";

/** Marks the workspace as one whose members an identity provider keeps, with its first write. */
export async function noteProvisioning({ db, ctx }: Transaction): Promise<void> {
  if (ctx.actor.type !== "scim") return;
  await db.$queryRawUnsafe(
    `UPDATE workspace SET scim_managed = true WHERE id = $1::uuid AND NOT scim_managed`,
    ctx.workspaceId,
  );
}
