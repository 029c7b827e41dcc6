import { share, sql } from "../../db/sql.ts";
import type { TaskStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { hasScope } from "../kernel/has-scope.ts";
import { LIMITS } from "../kernel/limits.ts";

/** A task that an agent holds now, in short. */
export type CurrentTask = {
  id: string;
  title: string;
  status: TaskStatus;
  progress: number | null;
  startedAt: Date | null;
};

/** Reads a few tasks that each agent holds now. Returns none if the caller may not read tasks. */
export async function readCurrentTasks(
  ctx: Ctx,
  agentIds: readonly string[],
): Promise<Map<string, CurrentTask[]>> {
  if (!hasScope(ctx, "tasks:read")) return new Map();
  const rows = await ctx.read(HELD, [ctx.workspaceId, agentIds]);
  const held = new Map<string, CurrentTask[]>();
  for (const { agentId, ...task } of rows) held.set(agentId, [...(held.get(agentId) ?? []), task]);
  return held;
}

const HELD = share(sql<CurrentTask & { agentId: string }>`
SELECT holder.id AS "agentId", held.* FROM unnest($2::uuid[]) AS holder(id) CROSS JOIN LATERAL (
  SELECT id, title, status, progress, started_at AS "startedAt" FROM task
  WHERE workspace_id = $1::uuid AND claimed_by_agent_id = holder.id AND status IN ('working', 'input_required', 'auth_required')
  LIMIT ${LIMITS.currentTasks}
) held`);
