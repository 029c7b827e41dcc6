import { share, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";

/** Finds the task that an agent works on. @returns null if it holds none, or more than one. */
export async function findOnlyTask(ctx: Ctx, agentId: string): Promise<string | null> {
  const [first, ...others] = await ctx.read(HELD, [ctx.workspaceId, agentId]);
  return first !== undefined && others.length === 0 ? first.id : null;
}

const HELD = share(sql<{ id: string }>`
SELECT id FROM task
WHERE workspace_id = $1::uuid AND claimed_by_agent_id = $2::uuid AND status IN ('working', 'input_required') LIMIT 2`);
