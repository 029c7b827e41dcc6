import { share, sql } from "../../db/sql.ts";
import type { ControlState } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { buildControlStateSql } from "./is-stopped.ts";

/**
 * Reads the effective control states of agents: `stopped` if a stop covers them. Concurrent callers share the read.
 */
export async function readControlStates(
  ctx: Ctx,
  ids: readonly string[],
): Promise<Map<string, ControlState>> {
  const agents = await ctx.read(STATES, [ctx.workspaceId, ids]);
  return new Map(agents.map(({ id, state }) => [id, state]));
}

const STATES = share(sql<{ id: string; state: ControlState }>`
SELECT a.id, ${buildControlStateSql("a")} AS state FROM agent a
WHERE a.workspace_id = $1::uuid AND a.id = ANY($2::uuid[])`);
