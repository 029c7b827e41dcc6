import { share, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { hasScope } from "../kernel/has-scope.ts";

export type AgentName = { id: string; handle: string; name: string };

/** Reads the names of agents. Returns none if the caller may not read agents. */
export async function readAgentNames(ctx: Ctx, ids: readonly string[]): Promise<Map<string, AgentName>> {
  if (!hasScope(ctx, "agents:read")) return new Map();
  const names = await ctx.read(NAMES, [ctx.workspaceId, ids]);
  return new Map(names.map((agent) => [agent.id, agent]));
}

/** The statement. */
export const NAMES = share(
  sql<AgentName>`SELECT id, handle, name FROM agent WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`,
);
