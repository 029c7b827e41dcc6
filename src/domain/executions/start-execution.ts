import { z } from "zod";
import type { Execution } from "../../db/generated/client.ts";
import { storeDecisionIn } from "../decisions/store-decision.ts";
import { createDecisionRow } from "../gateway-checks/create-decision-row.ts";
import { type MadeDecision, decideOnce, findStop } from "../gateway-checks/decide-request.ts";
import { lockGateState } from "../gateway-checks/gate-state.ts";
import { type AccessRequest, getTaskId } from "../gateway-checks/parse-request.ts";
import { requireKnown } from "../gateway-checks/require-known.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireAgent } from "../kernel/guard.ts";
import { uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { findParent } from "../tasks/find-parent.ts";
import { buildExecutionAppend } from "./execution-event.ts";
import { createAskProblem, findVerdictProblem } from "./find-use-problem.ts";
import { openExecution } from "./open-execution.ts";
import { type StartResult, startInTransaction } from "./start-in-transaction.ts";

const shape = z.object({
  /**
   * The check that allowed it: a name that only joins, and needn't be stored yet. What the caller's check of this id
   * has reserved of budgets is for this execution.
   */
  decisionId: uuid,
  requestText: z.string(),
  leaseSeconds: wholeNumber(LIMITS.executionLeaseSeconds).default(LIMITS.executionLeaseSeconds.default),
});

/**
 * Opens an execution of what policies allow without a person. They are asked again, in the same transaction. What the
 * check has not reserved of budgets, or what another execution has, is reserved now.
 *
 * @param input `requestText` is the request as JSON text.
 * @throws {DomainError} insufficient_scope without `gateway:check`, or for another subject without
 *   `gateway:delegate`; forbidden for anybody but agents; emergency_stop; agent_paused; policy_denied;
 *   approval_required; budget_exceeded; payload_too_large, invalid_body and validation_failed for the request.
 */
export async function startExecution(ctx: Ctx, input: z.input<typeof shape>): Promise<Execution> {
  return startInTransaction(ctx, { shape, input }, startIn);
}

type Start = {
  id: string;
  decisionId: string;
  asked: AccessRequest;
  leaseSeconds: number;
  startedMs: number;
  made: MadeDecision | null;
};

async function startIn(tx: Transaction, start: Start): Promise<StartResult> {
  const result = await startCheckedIn(tx, start);
  if ("error" in result) return result;
  const { execution, row } = result;
  const permitted = { ...row, executionId: execution.id };
  await storeDecisionIn(tx, permitted);
  return { execution, row: permitted };
}

/**
 * Opens an execution of what policies allow without a person, in a transaction. They are asked again: the decision is
 * not stored.
 */
export async function startCheckedIn(
  tx: Transaction,
  { id, decisionId, asked, leaseSeconds, startedMs, made }: Start,
): Promise<StartResult> {
  const { ctx } = tx;
  const { id: callerId } = requireAgent(ctx);
  const state = await lockGateState(tx, [asked], callerId);
  requireKnown(ctx, asked, { state, callerId });
  const decided = await decideOnce(ctx, state, { asked, callerId, made });
  const row = createDecisionRow(ctx, decided, { agentId: callerId, startedMs });
  const { verdict } = decided;
  const problem =
    findVerdictProblem(verdict, findStop(state, { type: "agent", id: callerId })) ??
    (verdict.outcome === "ask" ? createAskProblem() : null);
  if (problem !== null) {
    const outcome = problem.reason === "approval_required" ? "ask" : "deny";
    return { error: problem.error, row: { ...row, outcome, reason: problem.reason } };
  }
  const { requestHash } = row;
  const parent = await findParent(tx, getTaskId(asked));
  const opening = { id, decisionId, request: asked, requestHash, leaseSeconds, parent };
  const execution = await openExecution(tx, opening);
  append(tx, buildExecutionAppend(execution, { type: "execution.started", from: null }));
  return { execution, row };
}
