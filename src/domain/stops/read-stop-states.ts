import { share, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { type StopState, STOPPED_AGENTS } from "./stop-state.ts";

/**
 * Reads the stop states of agents: `confirmed` if they have confirmed every stop that covers them. Archived agents,
 * those that no stop covers and those created since have no entry.
 */
export async function readStopStates(ctx: Ctx, ids: readonly string[]): Promise<Map<string, StopState>> {
  const rows = await ctx.read(STATES, [ctx.workspaceId, ids, null]);
  return new Map(rows.map(({ id, state }) => [id, state]));
}

const STATES = share(sql<{ id: string; state: StopState }>`
SELECT id, CASE WHEN bool_and(state = 'confirmed') THEN 'confirmed'
  WHEN bool_or(state = 'unreachable') THEN 'unreachable' ELSE 'pending' END AS state
FROM (${STOPPED_AGENTS}) stopped GROUP BY id`);
