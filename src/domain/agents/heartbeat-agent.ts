import { CLOCK, NOW, sql } from "../../db/sql.ts";
import type { ControlState } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireAgent } from "../kernel/guard.ts";
import { buildControlStateSql, isStoppedSql } from "../stops/is-stopped.ts";

/** The answer to an agent's heartbeat. */
export type AgentHeartbeat = {
  /** What the agent may do: `stopped` during an emergency stop. */
  controlState: ControlState;
  /** Whether an emergency stop covers the agent. */
  emergencyStop: boolean;
  /** The number of unacknowledged commands. */
  pendingCommands: number;
  serverTime: Date;
};

/**
 * Records that an agent is online, without an event, and returns its status.
 *
 * @throws {DomainError} forbidden unless the caller is an agent.
 */
export async function heartbeatAgent(ctx: Ctx): Promise<AgentHeartbeat> {
  const { id } = requireAgent(ctx);
  const [beat] = await ctx.run(BEAT, [ctx.workspaceId, id]);
  if (beat === undefined) throw createNotFoundError("agent");
  return beat;
}

const BEAT = sql<AgentHeartbeat>`
WITH seen AS (
  UPDATE agent SET last_seen_at = ${NOW} WHERE workspace_id = $1::uuid AND id = $2::uuid
  RETURNING id, kind, labels, control_state
)
SELECT ${buildControlStateSql("seen")}::text AS "controlState", ${isStoppedSql("seen")} AS "emergencyStop",
  (SELECT count(*)::int FROM agent_command c
   WHERE c.workspace_id = $1::uuid AND c.agent_id = $2::uuid AND c.status IN ('queued', 'delivered')) AS "pendingCommands",
  date_trunc('milliseconds', ${CLOCK}) AS "serverTime"
FROM seen`;
