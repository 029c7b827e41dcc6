import { TABLES, selectList } from "../../db/columns.ts";
import type { Approval, Execution } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { DecisionRow } from "../decisions/decision-row.ts";
import type { DecisionReason } from "../../db/generated/enums.ts";
import type { Verdict } from "../policies/decide.ts";
import { requireAgent } from "../kernel/guard.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError, type ErrorCode, createNotFoundError } from "../kernel/errors.ts";
import type { Stop } from "../gateway-checks/decide-request.ts";

/** Why something can't be executed: for the caller, and for the decision's row. */
export type Problem = { error: DomainError; reason: DecisionReason };

/** Why there is no execution, and the decision that says so. */
export type Refusal = { error: DomainError; row: DecisionRow };

/** Reads an approval of the calling agent. @throws {DomainError} not_found, also for that of another agent. */
export async function findOwnApproval(
  { run, ctx }: Transaction,
  { id, agentId }: { id: string; agentId: string },
): Promise<Approval> {
  const [approval] = await run(FIND_OWN, [ctx.workspaceId, id, agentId]);
  if (approval === undefined) throw createNotFoundError("approval");
  return approval;
}

const FIND_OWN = sql<Approval>`
SELECT ${selectList("a", TABLES.approval)} FROM approval a
WHERE workspace_id = $1::uuid AND id = $2::uuid AND agent_id = $3::uuid`;

/** @throws {DomainError} forbidden for another API key of the agent than that which asked, or one it was rotated to. */
export function requireOwnKey(ctx: Ctx, approval: Pick<Approval, "lineageId">): void {
  const problem = findKeyProblem(ctx, approval);
  if (problem !== null) throw problem.error;
}

/** What it means that another API key of the agent asked, and not one that was rotated to the caller's. */
export function findKeyProblem(ctx: Ctx, { lineageId }: Pick<Approval, "lineageId">): Problem | null {
  if (requireAgent(ctx).credential.lineageId === lineageId) return null;
  const message = "Another API key of this agent asked for this approval. Ask again with the one you use.";
  return createProblem("out_of_scope", "forbidden", message);
}

/** What a stop of the caller, or a denial by policies, means for an execution. Null if neither forbids it. */
export function findVerdictProblem({ outcome, reason }: Verdict, stop: Stop | null): Problem | null {
  if (stop !== null) return findStopProblem(stop);
  if (outcome !== "deny") return null;
  return isStop(reason)
    ? findStopProblem(reason)
    : createProblem(reason, "policy_denied", "The policies deny this.");
}

function isStop(reason: DecisionReason): reason is Stop {
  return ["emergency_stop", "agent_paused", "agent_stopped"].includes(reason);
}

/** What a stop means for an execution. */
export function findStopProblem(stop: Stop): Problem {
  switch (stop) {
    case "emergency_stop":
      return createProblem(stop, "emergency_stop", "The agent is stopped by an emergency stop.");
    case "agent_paused":
    case "agent_stopped":
      return createProblem(stop, "agent_paused", "The agent is paused or stopped.");
    case "request_unusable":
      return createProblem(stop, "policy_denied", "The request's subject doesn't exist.");
  }
}

/** What it means that an approval is for another request. */
export function createChangedProblem(): Problem {
  const message = "The approval is for another request. Ask again for this one.";
  return { reason: "out_of_scope", error: new DomainError("arguments_changed", message) };
}

/** What it means that a person must approve first. */
export function createAskProblem(): Problem {
  const message = "A person must approve this: check it, and give the approval's id.";
  return createProblem("approval_required", "approval_required", message);
}

/** Why an approval could not be used, as it is now. */
export async function findUseProblem(tx: Transaction, approvalId: string, agentId: string): Promise<Problem> {
  const approval = await findOwnApproval(tx, { id: approvalId, agentId });
  const isUsedUp = approval.usedCount >= approval.uses;
  if (isUsedUp) {
    const message = "The approval was used. Ask again to do it once more.";
    return createExecutedProblem(message, await findLastExecution(tx, approvalId));
  }
  switch (approval.revokedAt === null ? approval.status : "expired") {
    case "pending":
      return createProblem("approval_required", "approval_required", "No person has approved this yet.");
    case "denied":
      return createProblem("approval_denied", "policy_denied", "A person has denied this.");
    case "cancelled":
      return createProblem("approval_expired", "approval_expired", "The approval was cancelled. Ask again.");
    case "expired":
    case "approved":
      return createProblem(
        "approval_expired",
        "approval_expired",
        "The approval has expired or was revoked, the policies that ask have changed, or whoever gave it issued the work of now. Ask again.",
      );
  }
}

/** Creates a problem. */
export function createProblem(reason: DecisionReason, code: ErrorCode, message: string): Problem {
  return { reason, error: new DomainError(code, message) };
}

/** What it means that it was executed, if so by this execution. */
export function createExecutedProblem(
  message: string,
  execution: Pick<Execution, "id" | "status"> | null,
): Problem {
  const details = execution === null ? {} : { executionId: execution.id, currentStatus: execution.status };
  return { reason: "approval_expired", error: new DomainError("already_executed", message, details) };
}

/** What it means that a person took the approval back. */
export function findRevokedProblem({ revokedAt }: Pick<Approval, "revokedAt">): Problem | null {
  if (revokedAt === null) return null;
  const message = "The approval was revoked. The agent must ask again.";
  return createProblem("approval_expired", "approval_expired", message);
}

async function findLastExecution({ db, ctx }: Transaction, approvalId: string): Promise<Execution | null> {
  return db.execution.findFirst({
    where: { workspaceId: ctx.workspaceId, approvalId, useNumber: { not: null } },
    orderBy: { useNumber: "desc" },
  });
}
