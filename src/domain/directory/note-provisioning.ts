import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";

/** Marks the workspace as managed by an identity provider, at its first write. */
export async function noteProvisioning({ run, ctx }: Transaction): Promise<void> {
  if (ctx.actor.type !== "scim") return;
  await run(UPDATE, [ctx.workspaceId]);
}

const UPDATE = sql`UPDATE workspace SET scim_managed = true WHERE id = $1::uuid AND NOT scim_managed`;
