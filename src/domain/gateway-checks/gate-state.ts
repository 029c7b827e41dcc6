import type { ControlState } from "../../db/generated/enums.ts";
import { share, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import type { EntityAgent } from "../policies/evaluation-request.ts";

/** An agent of the workspace, as the database has it now. */
export type GateAgent = EntityAgent & { controlState: ControlState; isArchived: boolean };

/** What a decision depends on besides the policies, at one instant. */
export type GateState = {
  generation: number;
  fallback: "allow" | "deny";
  isStopped: boolean;
  agents: GateAgent[];
  /** False if a task was asked for that does not exist. */
  hasTask: boolean;
};

/**
 * Reads the gate's state, agents by their ids or handles, and whether a task exists. Concurrent callers share
 * the read.
 */
export async function readGateState(
  ctx: Ctx,
  { agents, taskId }: { agents: readonly string[]; taskId: string | null },
): Promise<GateState> {
  const ids = agents.filter((agent) => UUID.test(agent)).map((id) => id.toLowerCase());
  const [state] = await ctx.read(STATE, [ctx.workspaceId, ids, agents, taskId]);
  if (state === undefined) throw new Error("the workspace does not exist");
  return state;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const STATE = share(
  sql<GateState>`
SELECT w.gate_generation AS generation, w.gateway_default::text AS fallback,
  w.emergency_stop_at IS NOT NULL AS "isStopped",
  COALESCE((
    SELECT jsonb_agg(jsonb_build_object('id', a.id, 'handle', a.handle, 'kind', a.kind, 'version', a.version,
      'labels', a.labels, 'controlState', a.control_state, 'isArchived', a.archived_at IS NOT NULL))
    FROM agent a WHERE a.workspace_id = w.id AND (a.id = ANY($2::uuid[]) OR a.handle = ANY($3::text[]))
  ), '[]') AS agents,
  $4::uuid IS NULL OR EXISTS (SELECT 1 FROM task WHERE workspace_id = w.id AND id = $4::uuid) AS "hasTask"
FROM workspace w WHERE w.id = $1::uuid`,
);
