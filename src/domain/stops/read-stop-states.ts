import { share, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { type StopState, STOPPED_AGENTS } from "./stop-state.ts";

/** Reads how agents stand to the emergency stop; those that it did not tell, and all without one, have no entry. */
export async function readStopStates(ctx: Ctx, ids: readonly string[]): Promise<Map<string, StopState>> {
  const rows = await ctx.read(STATES, [ctx.workspaceId, ids]);
  return new Map(rows.map(({ id, state }) => [id, state]));
}

const STATES = share(sql<{ id: string; state: StopState }>`SELECT id, state FROM (${STOPPED_AGENTS}) told`);
