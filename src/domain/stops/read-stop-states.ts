import type { Ctx } from "../context.ts";
import { type StopState, TOLD } from "./stop-state.ts";

/** Reads how agents stand to the emergency stop; those that it did not tell, and all without one, have no entry. */
export async function readStopStates(ctx: Ctx, ids: readonly string[]): Promise<Map<string, StopState>> {
  const told = await ctx.readShared<{ id: string; state: StopState }>(STATES, [
    ctx.workspaceId,
    ctx.now,
    ids,
  ]);
  return new Map(told.map(({ id, state }) => [id, state]));
}

const STATES = { name: "emergency_stop_states", text: TOLD };
