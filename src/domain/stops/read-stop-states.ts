import { share, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { type StopState, STOPPED_AGENTS } from "./stop-state.ts";

/**
 * Reads the stop states of agents. Archived agents and agents created since the stop have no entry; without
 * an emergency stop there are none.
 */
export async function readStopStates(ctx: Ctx, ids: readonly string[]): Promise<Map<string, StopState>> {
  const rows = await ctx.read(STATES, [ctx.workspaceId, ids]);
  return new Map(rows.map(({ id, state }) => [id, state]));
}

const STATES = share(
  sql<{ id: string; state: StopState }>`SELECT id, state FROM (${STOPPED_AGENTS}) stopped`,
);
