import { findApprovedRequest } from "../approvals/find-approved-request.ts";
import type { Approval, Execution } from "../../db/generated/client.ts";
import { createDecisionRow } from "../gateway-checks/create-decision-row.ts";
import { decideRequest, findStop } from "../gateway-checks/decide-request.ts";
import { lockGateState } from "../gateway-checks/gate-state.ts";
import type { AccessRequest } from "../gateway-checks/parse-request.ts";
import { requireKnown } from "../gateway-checks/require-known.ts";
import type { Transaction } from "../kernel/context.ts";
import {
  type Refusal,
  createEndedProblem,
  findKeyProblem,
  findOwnApproval,
  findVerdictProblem,
} from "./find-use-problem.ts";

/** A request that opened an execution when it was sent first. */
export type RepeatedRequest = {
  asked: AccessRequest;
  callerId: string;
  /** When the request began, by `performance.now()`. */
  startedMs: number;
};

/**
 * Finds out why the execution of an earlier request with the same key may not go on: it has ended, or a stop or the
 * policies forbid it now. Locks the workspace and the agent.
 *
 * @returns the approval that it uses, if any, and the refusal, null if it may go on.
 */
export async function findRepeatProblem(
  tx: Transaction,
  { asked, callerId, startedMs }: RepeatedRequest,
  { approvalId, status, id }: Pick<Execution, "approvalId" | "status" | "id">,
): Promise<{ approval: Approval | null; refusal: Refusal | null }> {
  const { ctx } = tx;
  const approval =
    approvalId === null ? null : await findOwnApproval(tx, { id: approvalId, agentId: callerId });
  const request = approval === null ? asked : findApprovedRequest(approval, asked, { acceptEdits: true });
  const state = await lockGateState(tx, [asked], callerId);
  requireKnown(ctx, asked, { state, callerId });
  const decided = await decideRequest(ctx, state, { asked: request ?? asked, callerId });
  const problem =
    findVerdictProblem(decided.verdict, findStop(state, { type: "agent", id: callerId })) ??
    (approval === null ? null : findKeyProblem(ctx, approval)) ??
    (status === "started" ? null : createEndedProblem({ id, status }));
  if (problem === null) return { approval, refusal: null };
  const row = createDecisionRow(ctx, decided, { agentId: callerId, startedMs, approvalId });
  return {
    approval,
    refusal: { error: problem.error, row: { ...row, outcome: "deny", reason: problem.reason } },
  };
}
