import { z } from "zod";
import type { Approval, Execution } from "../../db/generated/client.ts";
import { findApprovedRequest, getAskingPolicies } from "../approvals/find-approved-request.ts";
import { findIssuers, toAsked } from "../approvals/find-issuers.ts";
import type { DecisionRow } from "../decisions/decision-row.ts";
import { storeDecisionIn } from "../decisions/store-decision.ts";
import { createDecisionRow } from "../gateway-checks/create-decision-row.ts";
import {
  type DecidedRequest,
  type MadeDecision,
  decideOnce,
  findStop,
} from "../gateway-checks/decide-request.ts";
import { lockGateState } from "../gateway-checks/gate-state.ts";
import { hashRequest, toAskingPolicy } from "../gateway-checks/hash-request.ts";
import { type AccessRequest, getTaskId } from "../gateway-checks/parse-request.ts";
import { requireKnown } from "../gateway-checks/require-known.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireAgent } from "../kernel/guard.ts";
import { uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ParentSpan, findParent } from "../tasks/find-parent.ts";
import { buildExecutionAppend } from "./execution-event.ts";
import {
  type Problem,
  type Refusal,
  createChangedProblem,
  findKeyProblem,
  findOwnApproval,
  findUseProblem,
  findVerdictProblem,
} from "./find-use-problem.ts";
import { openApprovedExecution } from "./open-execution.ts";
import { startInTransaction } from "./start-in-transaction.ts";

const shape = z.object({
  approvalId: uuid,
  requestText: z.string(),
  leaseSeconds: wholeNumber(LIMITS.executionLeaseSeconds).default(LIMITS.executionLeaseSeconds.default),
});

/**
 * Uses an approval once: opens the execution of what people approved. Policies, stops and the agent's state are checked
 * again, in the same transaction, and whether it is the work of one who approved it. The request may have the arguments
 * that the agent asked for, or those that an approver put in their place. Budgets are held for it.
 *
 * @param input `requestText` is the request as JSON text.
 * @throws {DomainError} insufficient_scope without `gateway:check`, or for another subject without `gateway:delegate`;
 *   forbidden for anybody but agents, and for another API key than that which asked; not_found; emergency_stop;
 *   agent_paused; policy_denied, also if a person denied it; approval_required if nobody has decided yet;
 *   already_executed; arguments_changed; approval_expired, also if it is the work of one who gave it; rate_limited as
 *   findIssuers; budget_exceeded; payload_too_large, invalid_body and validation_failed for the request.
 */
export async function redeemApproval(ctx: Ctx, input: z.input<typeof shape>): Promise<Execution> {
  return startInTransaction(ctx, { shape, input }, async (tx, { approvalId, leaseSeconds, ...start }) =>
    redeemApprovalIn(tx, {
      ...start,
      approvalId,
      leaseSeconds,
      acceptEdits: true,
      sessionKey: null,
      isReported: true,
      issuerIds: await findIssuers(tx, toAsked(start.asked, requireAgent(ctx).id)),
    }),
  );
}

/** The use of an approval by the calling agent. */
export type Redemption = {
  /** The execution's id. */
  id: string;
  approvalId: string;
  asked: AccessRequest;
  leaseSeconds: number;
  /** Whether the caller executes the arguments of the answer, which approvers may have changed. */
  acceptEdits: boolean;
  /** When the request began, by `performance.now()`. */
  startedMs: number;
  /** The caller's own name for it; null for none. */
  sessionKey: string | null;
  /** Whether the caller says how the execution ends. */
  isReported: boolean;
  /** Whose work it is, and for whom it is done, by `findIssuers`: none of them has approved it. */
  issuerIds: readonly string[];
  /** What was decided before the transaction. */
  made?: MadeDecision | null;
  /** As it was read in this transaction. */
  approval?: Approval;
  /** Runs with the use. If it fails, nothing is used. */
  onUse?: ((tx: Transaction, execution: Execution) => Promise<void>) | undefined;
};

/** The execution of an approval, with its decision and the approval as it is then; or why there is none. */
export type RedeemResult = { execution: Execution; row: DecisionRow; approval: Approval } | Refusal;

/**
 * {@link redeemApproval} in a transaction, run by `withDecisionPartition`. Locks the workspace, the agent, then
 * the approval.
 *
 * @returns the execution and its decision, which is stored; or why there is none, and the decision to store after
 *   the transaction.
 */
export async function redeemApprovalIn(tx: Transaction, redemption: Redemption): Promise<RedeemResult> {
  const { ctx } = tx;
  const { asked, approvalId, startedMs, acceptEdits, made = null } = redemption;
  const { id: callerId } = requireAgent(ctx);
  const [state, parent] = await Promise.all([
    lockGateState(tx, [asked], callerId),
    findParent(tx, getTaskId(asked)),
  ]);
  requireKnown(ctx, asked, { state, callerId });
  const approval = redemption.approval ?? (await findOwnApproval(tx, { id: approvalId, agentId: callerId }));
  const request = findApprovedRequest(approval, asked, { acceptEdits });
  const decided = await decideOnce(ctx, state, { asked: request ?? asked, callerId, made });
  const stop = findStop(state, { type: "agent", id: callerId });
  const problem =
    findVerdictProblem(decided.verdict, stop) ??
    findKeyProblem(ctx, approval) ??
    (request === null ? createChangedProblem() : null);
  const row = createDecisionRow(ctx, decided, { agentId: callerId, startedMs, approvalId });
  if (problem !== null) return refuse(row, problem);
  return use(tx, redemption, { approval, decided, row, parent });
}

type Use = { approval: Approval; decided: DecidedRequest; row: DecisionRow; parent: ParentSpan | null };

async function use(
  tx: Transaction,
  { id, leaseSeconds, sessionKey, isReported, issuerIds, onUse }: Redemption,
  { approval, decided: { asked, verdict }, row, parent }: Use,
): Promise<RedeemResult> {
  const { agentId, traceId, parentSpanId } = approval;
  const opening = { id, leaseSeconds, sessionKey, isReported };
  const asking = traceId === null ? null : { traceId, spanId: parentSpanId };
  const requestHash = hashRequest(asked, { agentId, askedBy: getAskingPolicies(approval), scope: "exact" });
  const opened = await openApprovedExecution(
    tx,
    { ...opening, decisionId: row.id, request: asked, requestHash, parent: parent ?? asking },
    {
      approvalId: approval.id,
      approvedHash: approval.editedHash ?? approval.requestHash,
      askedBy: verdict.outcome === "ask" ? verdict.decidedBy.map(toAskingPolicy) : [],
      issuerIds,
    },
  );
  if (opened === null) return refuse(row, await findUseProblem(tx, approval.id, requireAgent(tx.ctx).id));
  const { execution, used } = opened;
  const granted: DecisionRow = {
    ...row,
    outcome: "allow",
    reason: "approval_granted",
    requestHash,
    executionId: id,
  };
  await Promise.all([storeDecisionIn(tx, granted), onUse?.(tx, execution)]);
  const started = buildExecutionAppend(execution, { type: "execution.started", from: null });
  // The number of its uses is part of the approval.
  const isUsed = { collection: "approvals", from: "approved", to: "approved" } as const;
  append(tx, { ...started, totals: [...started.totals, isUsed] });
  return { execution, row: granted, approval: { ...approval, ...used } };
}

function refuse(row: DecisionRow, { reason, error }: Problem): Refusal {
  const outcome = reason === "approval_required" ? "ask" : "deny";
  return { error, row: { ...row, outcome, reason } };
}
