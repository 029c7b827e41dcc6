import type { ControlState } from "../../db/generated/enums.ts";
import { share, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import type { EntityAgent } from "../policies/evaluation-request.ts";
import { type AccessRequest, getTaskId } from "./parse-request.ts";

/** An agent of the workspace, as the database has it now. */
export type GateAgent = EntityAgent & { controlState: ControlState; isArchived: boolean };

/** What a decision depends on besides the policies, at one instant. */
export type GateState = {
  generation: number;
  fallback: "allow" | "deny";
  isStopped: boolean;
  agents: GateAgent[];
  /** The tasks that exist of those that were asked for. */
  taskIds: string[];
};

/** Reads what decisions on these requests depend on, with one statement. Concurrent callers share the read. */
export async function readGateState(
  ctx: Ctx,
  requests: readonly AccessRequest[],
  callerId: string,
): Promise<GateState> {
  const names = requests.flatMap(({ subject, resource }) => [subject?.id ?? callerId, resource.id]);
  const agents = [...new Set([callerId, ...names])];
  const ids = agents.filter((agent) => UUID.test(agent)).map((id) => id.toLowerCase());
  const tasks = requests.map(getTaskId).filter((id) => id !== null);
  const [state] = await ctx.read(STATE, [ctx.workspaceId, ids, agents, tasks]);
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
  ARRAY(SELECT id FROM task WHERE workspace_id = w.id AND id = ANY($4::uuid[]))::text[] AS "taskIds"
FROM workspace w WHERE w.id = $1::uuid`,
);
