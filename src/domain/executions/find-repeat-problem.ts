import {
  findApprovedRequest,
  getAskingPolicies,
  isAskedByOthers,
} from "../approvals/find-approved-request.ts";
import type { Approval, Execution } from "../../db/generated/client.ts";
import { createDecisionRow } from "../gateway-checks/create-decision-row.ts";
import { decideRequest, findStop } from "../gateway-checks/decide-request.ts";
import { lockGateState } from "../gateway-checks/gate-state.ts";
import { hashRequest } from "../gateway-checks/hash-request.ts";
import type { AccessRequest } from "../gateway-checks/parse-request.ts";
import { requireKnown } from "../gateway-checks/require-known.ts";
import type { Transaction } from "../kernel/context.ts";
import type { Verdict } from "../policies/decide.ts";
import {
  type Problem,
  type Refusal,
  createAskProblem,
  createExecutedProblem,
  createProblem,
  findKeyProblem,
  findOwnApproval,
  findRevokedProblem,
  findVerdictProblem,
} from "./find-use-problem.ts";
import { createLeaseError, isLeaseOver } from "./lease-error.ts";
import { type LockedExecution, lockExecution } from "./lock-execution.ts";

/** A request that opened an execution when it was sent first. */
export type RepeatedRequest = {
  asked: AccessRequest;
  callerId: string;
  /** When the request began, by `performance.now()`. */
  startedMs: number;
};

/** The execution of an earlier request and the approval that it uses, if any; the refusal is null if it may go on. */
export type Repeated = { execution: Execution; approval: Approval | null; refusal: Refusal | null };

/**
 * Finds out why the execution of an earlier request with the same key may not go on: a stop or the policies forbid it
 * now, it isn't for this request and API key, its approval was revoked, or it has ended. Locks the workspace, the
 * agent, then the execution.
 */
export async function findRepeatProblem(
  tx: Transaction,
  { asked, callerId, startedMs }: RepeatedRequest,
  executionId: string,
): Promise<Repeated> {
  const { ctx } = tx;
  const state = await lockGateState(tx, [asked], callerId);
  requireKnown(ctx, asked, { state, callerId });
  const locked = await lockExecution(tx, executionId);
  const { execution } = locked;
  const { approvalId } = execution;
  const approval =
    approvalId === null ? null : await findOwnApproval(tx, { id: approvalId, agentId: callerId });
  const request = approval === null ? asked : findApprovedRequest(approval, asked, { acceptEdits: true });
  const decided = await decideRequest(ctx, state, { asked: request ?? asked, callerId });
  const { verdict } = decided;
  const problem =
    findVerdictProblem(verdict, findStop(state, { type: "agent", id: callerId })) ??
    (approval === null
      ? findAskProblem(verdict)
      : (findKeyProblem(ctx, approval) ??
        findOtherProblem(execution, approval, request) ??
        findRevokedProblem(approval) ??
        findOtherPoliciesProblem(verdict, approval))) ??
    findEndProblem(locked);
  if (problem === null) return { execution, approval, refusal: null };
  const { error, reason } = problem;
  const row = createDecisionRow(ctx, decided, { agentId: callerId, startedMs, approvalId });
  const outcome = reason === "approval_required" ? "ask" : "deny";
  return { execution, approval, refusal: { error, row: { ...row, outcome, reason } } };
}

function findAskProblem({ outcome }: Verdict): Problem | null {
  return outcome === "ask" ? createAskProblem() : null;
}

function findOtherProblem(
  { requestHash }: Execution,
  approval: Approval,
  request: AccessRequest | null,
): Problem | null {
  const binding = {
    agentId: approval.agentId,
    askedBy: getAskingPolicies(approval),
    scope: "exact" as const,
  };
  const isSame =
    request !== null && hashRequest(request, binding) === Buffer.from(requestHash).toString("hex");
  if (isSame) return null;
  return createProblem(
    "out_of_scope",
    "arguments_changed",
    "Something else was executed under this session key.",
  );
}

function findOtherPoliciesProblem(verdict: Verdict, approval: Approval): Problem | null {
  if (!isAskedByOthers(approval, verdict)) return null;
  return createProblem(
    "approval_expired",
    "approval_expired",
    "The policies that ask have changed. Ask again.",
  );
}

function findEndProblem(locked: LockedExecution): Problem | null {
  const { execution } = locked;
  if (execution.status !== "started")
    return createExecutedProblem("This was executed, and has ended.", execution);
  return isLeaseOver(locked) ? { reason: "approval_expired", error: createLeaseError(execution) } : null;
}
