import { share, sql } from "../../db/sql.ts";
import type { ControlState } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { buildControlStateSql } from "./is-stopped.ts";

/**
 * Reads the effective control states of agents: `stopped` during an emergency stop. Concurrent callers
 * share the read.
 */
export async function readControlStates(
  ctx: Ctx,
  ids: readonly string[],
): Promise<Map<string, ControlState>> {
  const agents = await ctx.read(STATES, [ctx.workspaceId, ids]);
  return new Map(agents.map(({ id, state }) => [id, state]));
}

const STATES = share(sql<{ id: string; state: ControlState }>`
SELECT a.id, ${buildControlStateSql("a", "w")} AS state FROM agent a JOIN workspace w ON w.id = a.workspace_id
WHERE a.workspace_id = $1::uuid AND a.id = ANY($2::uuid[])`);
