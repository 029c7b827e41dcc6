import type { Workspace } from "../../db/generated/client.ts";
import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";

/**
 * Increments the locked workspace's generation with a change of its stops: claims that wait for the lock see by it
 * that they don't know the stop.
 *
 * @see LOCK_UNCHANGED_WORKSPACE
 */
export async function changeWorkspace({ run, db, ctx }: Transaction): Promise<Workspace> {
  await run(CHANGE, [ctx.workspaceId]);
  return db.workspace.findUniqueOrThrow({ where: { id: ctx.workspaceId } });
}

const CHANGE = sql`UPDATE workspace SET generation = generation + 1, updated_at = ${NOW} WHERE id = $1::uuid`;
