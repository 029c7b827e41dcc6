import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { TABLES, selectList } from "../../db/columns.ts";
import type { Execution } from "../../db/generated/client.ts";
import { CLOCK, NOW, sql } from "../../db/sql.ts";
import { lockApproval } from "../approvals/move-approval.ts";
import { findStop } from "../gateway-checks/decide-request.ts";
import { lockGateState } from "../gateway-checks/gate-state.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError, createNotFoundError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { buildExecutionAppend } from "./execution-event.ts";
import { requireExecutionState } from "./execution-states.ts";
import { findStopProblem } from "./find-use-problem.ts";
import { type LockedExecution, lockExecution } from "./lock-execution.ts";
import { moveExecution } from "./move-execution.ts";

const shape = z.object({
  id: uuid,
  /** How it ended, or that it is done again. */
  outcome: z.enum(["completed", "failed", "retried"]),
  reason: text(LIMITS.textLength),
});

type Resolution = z.output<typeof shape>;

/**
 * Says how an execution ended that failed, or that nobody knows the end of; or has its agent do it again, which
 * opens another execution with a higher fence. Only people can: what an agent did may have been done.
 *
 * @returns the execution, and the new one; null unless it is retried.
 * @throws {DomainError} forbidden below operator, for a retry also below the role that approved it, and for agents;
 *   not_found; validation_failed; invalid_state unless its outcome is open; for a retry emergency_stop and
 *   agent_paused; approval_expired if the approval was revoked.
 */
export async function resolveExecution(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<{ execution: Execution; retry: Execution | null }> {
  requireRole(ctx, "operator");
  const resolution = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    if (resolution.outcome === "retried") await requireRetriable(tx, resolution.id);
    const locked = await lockExecution(tx, resolution.id);
    requireExecutionState(locked.execution, "resolve");
    const retry = resolution.outcome === "retried" ? await insertRetry(tx, resolution.id) : null;
    const execution = await resolve(tx, locked, { ...resolution, retry });
    return { execution, retry };
  });
}

async function resolve(
  tx: Transaction,
  locked: LockedExecution,
  { outcome, reason, retry }: Resolution & { retry: Execution | null },
): Promise<Execution> {
  const { status: from, requestHash, id } = locked.execution;
  const resolvedBy = createActorRecord(tx.ctx.actor);
  const data = { status: outcome, resolvedBy, resolvedReason: reason };
  const { execution, appended } = await moveExecution(tx, locked, { data, type: "execution.resolved" });
  const started =
    retry === null ? { events: [] } : buildExecutionAppend(retry, { type: "execution.started", from: null });
  const changes = {
    status: { from, to: outcome },
    reason,
    retry_id: retry?.id ?? null,
    request_hash: Buffer.from(requestHash).toString("hex"),
  };
  const audit = [{ action: "execution.resolved", targetType: "execution", targetId: id, changes }];
  append(tx, mergeAppends({ ...appended, audit }, started));
  return execution;
}

/** Locks the workspace and the agent before the execution, as redeeming does. */
async function requireRetriable(tx: Transaction, id: string): Promise<void> {
  const { db, ctx } = tx;
  const execution = await db.execution.findUnique({
    where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } },
    include: { approval: { select: { role: true } } },
  });
  if (execution === null) throw createNotFoundError("execution");
  if (execution.approval !== null) requireRole(ctx, execution.approval.role);
  const state = await lockGateState(tx, [], execution.agentId);
  const stop = findStop(state, { type: "agent", id: execution.agentId });
  if (stop !== null) throw findStopProblem(stop).error;
  if (execution.approvalId !== null) await requireUnrevoked(tx, execution.approvalId);
}

/** Locks the approval, so that a revocation is either seen or waits. */
async function requireUnrevoked(tx: Transaction, approvalId: string): Promise<void> {
  const { approval } = await lockApproval(tx, approvalId);
  if (approval.revokedAt === null) return;
  throw new DomainError("approval_expired", "The approval was revoked. The agent must ask again.");
}

async function insertRetry({ run, ctx }: Transaction, id: string): Promise<Execution> {
  const [retry] = await run(RETRY, [ctx.workspaceId, id, uuidv7()]);
  if (retry === undefined) throw createNotFoundError("execution");
  return retry;
}

/** It uses nothing of the approval. */
const RETRY = sql<Execution>`
INSERT INTO execution AS e (workspace_id, id, approval_id, decision_id, agent_id, credential_id, action, resource_type,
  resource_id, request_hash, fence, lease_seconds, lease_expires_at, retry_of, task_id, trace_id, created_at, updated_at)
SELECT workspace_id, $3::uuid, approval_id, decision_id, agent_id, credential_id, action, resource_type,
  resource_id, request_hash, nextval('execution_fence'), lease_seconds,
  ${CLOCK} + make_interval(secs => lease_seconds), id, task_id, trace_id,
  date_trunc('milliseconds', ${NOW}), date_trunc('milliseconds', ${NOW})
FROM execution WHERE workspace_id = $1::uuid AND id = $2::uuid
RETURNING ${selectList("e", TABLES.execution)}`;
