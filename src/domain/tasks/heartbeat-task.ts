import { NOW, sql } from "../../db/sql.ts";
import { z } from "zod";
import type { Task } from "../../db/generated/client.ts";
import type { ControlState } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { buildControlStateSql } from "../stops/is-stopped.ts";
import { leaseDigest, createLeaseLostError, leaseToken } from "./lease.ts";
import { requireTaskState } from "./task-states.ts";

const shape = z.object({
  id: uuid,
  leaseToken,
  progress: z.number().min(0).max(1).nullish(),
  statusMessage: text(LIMITS.textLength).nullish(),
});

/** The answer to a holder's heartbeat. */
export type Heartbeat = {
  /** Null while the task waits for people: then the lease does not expire. */
  leaseExpiresAt: Date | null;
  cancelRequested: boolean;
  /** What the holder may do: `stopped` during an emergency stop. */
  controlState: ControlState;
};

/**
 * Extends a lease by its length and records progress, both without an event.
 *
 * @throws {DomainError} insufficient_scope without `tasks:work`; not_found; validation_failed; lease_lost;
 *   invalid_state if the task has finished.
 */
export async function heartbeatTask(ctx: Ctx, input: z.input<typeof shape>): Promise<Heartbeat> {
  requireScope(ctx, "tasks:work");
  const agent = requireAgent(ctx);
  const { id, leaseToken: token, progress, statusMessage } = parseInput(shape, input);
  const digest = leaseDigest(token);
  const [beat] = await ctx.run(BEAT, [
    ctx.workspaceId,
    id,
    agent.id,
    digest,
    progress ?? null,
    statusMessage ?? null,
  ]);
  return beat ?? throwLeaseLost(ctx, id, digest);
}

/** A single statement, because holders send it every few seconds. */
const BEAT = sql<Heartbeat>`
WITH held AS (
  SELECT id, progress, status_message FROM task
  WHERE workspace_id = $1::uuid AND id = $2::uuid AND claimed_by_agent_id = $3::uuid AND lease_token_digest = $4
    AND (status IN ('input_required', 'auth_required') OR status = 'working' AND lease_expires_at > ${NOW})
  FOR UPDATE
), beat AS (
  UPDATE task t SET
    lease_expires_at = CASE WHEN t.status = 'working'
      THEN ${NOW} + make_interval(secs => t.lease_seconds) END,
    progress = COALESCE($5, t.progress), status_message = COALESCE($6, t.status_message)
  FROM held WHERE t.workspace_id = $1::uuid AND t.id = held.id
  RETURNING t.lease_expires_at, t.cancel_requested_at,
    (t.progress, t.status_message) IS DISTINCT FROM (held.progress, held.status_message) AS changed
), ticked AS (
  UPDATE collection_total SET ticks = ticks + 1
  WHERE workspace_id = $1::uuid AND collection = 'tasks' AND facet = 'all' AND EXISTS (SELECT FROM beat WHERE changed)
)
SELECT beat.lease_expires_at AS "leaseExpiresAt", beat.cancel_requested_at IS NOT NULL AS "cancelRequested",
  ${buildControlStateSql("a")}::text AS "controlState"
FROM beat, agent a WHERE a.workspace_id = $1::uuid AND a.id = $3::uuid`;

async function throwLeaseLost(ctx: Ctx, id: string, digest: Uint8Array): Promise<never> {
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const task: Task | null = await ctx.db.task.findUnique({ where });
  if (task === null) throw createNotFoundError("task");
  const isOurs = task.leaseTokenDigest !== null && Buffer.from(task.leaseTokenDigest).equals(digest);
  if (isOurs && task.status !== "submitted") requireTaskState(task, "heartbeat");
  throw createLeaseLostError(task);
}
