import type { z } from "zod";
import type { ControlState } from "../../db/generated/enums.ts";
import { NOW, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { buildControlStateSql } from "../stops/is-stopped.ts";
import { startedExecution } from "./end-execution.ts";
import { createLeaseError } from "./lease-error.ts";
import { requireOwnKey } from "./find-use-problem.ts";
import { requireExecutionState } from "./execution-states.ts";

/** The answer to an execution's heartbeat. */
export type ExecutionHeartbeat = {
  leaseExpiresAt: Date;
  /** What the agent may do: `stopped` during an emergency stop. */
  controlState: ControlState;
};

/**
 * Extends an execution's lease by its length, without an event.
 *
 * @throws {DomainError} insufficient_scope without `gateway:check`; forbidden for anybody but agents, and for another
 *   API key than that which used the approval; not_found, also for that of another agent; validation_failed; lease_lost
 *   for another fence, or once the lease is over; invalid_state if it has ended.
 */
export async function heartbeatExecution(
  ctx: Ctx,
  input: z.input<typeof startedExecution>,
): Promise<ExecutionHeartbeat> {
  requireScope(ctx, "gateway:check");
  const agent = requireAgent(ctx);
  const { id, fence } = parseInput(startedExecution, input);
  const [beat] = await ctx.run(BEAT, [ctx.workspaceId, id, agent.id, fence, agent.credential.lineageId]);
  return beat ?? throwLost(ctx, { id, fence, agentId: agent.id });
}

/** A single statement, because agents send it every few seconds. */
const BEAT = sql<ExecutionHeartbeat>`
WITH beat AS (
  UPDATE execution e SET lease_expires_at = ${NOW} + make_interval(secs => e.lease_seconds)
  WHERE e.workspace_id = $1::uuid AND e.id = $2::uuid AND e.agent_id = $3::uuid AND e.fence = $4::bigint
    AND e.status = 'started' AND e.lease_expires_at > ${NOW} AND (e.approval_id IS NULL OR EXISTS (
      SELECT FROM approval p WHERE p.workspace_id = e.workspace_id AND p.id = e.approval_id AND p.lineage_id = $5::uuid))
  RETURNING e.lease_expires_at
)
SELECT beat.lease_expires_at AS "leaseExpiresAt", ${buildControlStateSql("a")}::text AS "controlState"
FROM beat, agent a WHERE a.workspace_id = $1::uuid AND a.id = $3::uuid`;

async function throwLost(
  ctx: Ctx,
  { id, fence, agentId }: { id: string; fence: number; agentId: string },
): Promise<never> {
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const execution = await ctx.db.execution.findUnique({ where, include: { approval: true } });
  if (execution === null || execution.agentId !== agentId) throw createNotFoundError("execution");
  if (execution.approval !== null) requireOwnKey(ctx, execution.approval);
  if (Number(execution.fence) === fence) requireExecutionState(execution, "end");
  throw createLeaseError(execution);
}
