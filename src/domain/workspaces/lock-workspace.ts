import type { Workspace } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";

/**
 * Locks the workspace's row until the transaction ends: against changes of its settings, policies and emergency
 * stop, which its agents' claims wait for too.
 *
 * @returns the workspace as it is now.
 */
export async function lockWorkspace({ run, db, ctx }: Transaction): Promise<Workspace> {
  await run(LOCK, [ctx.workspaceId]);
  return db.workspace.findUniqueOrThrow({ where: { id: ctx.workspaceId } });
}

const LOCK = sql`SELECT 1 FROM workspace WHERE id = $1::uuid FOR NO KEY UPDATE`;
