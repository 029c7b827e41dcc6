import { TABLES, selectList } from "../../db/columns.ts";
import type { Approval, Execution } from "../../db/generated/client.ts";
import { CLOCK, NOW, sql } from "../../db/sql.ts";
import { lockApprover, requireApproverRole } from "../approvals/lock-approver.ts";
import { lockApproval } from "../approvals/move-approval.ts";
import { findIssuersOfApproval, requireOtherPerson } from "../approvals/require-other-person.ts";
import { isAskedByOthers } from "../approvals/find-approved-request.ts";
import type { DecisionRow } from "../decisions/decision-row.ts";
import { storeDecisionIn } from "../decisions/store-decision.ts";
import { createDecisionRow } from "../gateway-checks/create-decision-row.ts";
import { decideRequest, findStop } from "../gateway-checks/decide-request.ts";
import { lockGateState } from "../gateway-checks/gate-state.ts";
import type { AccessRequest } from "../gateway-checks/parse-request.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import type { Verdict } from "../policies/decide.ts";
import { concludeExecution } from "./conclude-execution.ts";
import { buildExecutionAppend } from "./execution-event.ts";
import { requireExecutionState } from "./execution-states.ts";
import {
  type Problem,
  createAskProblem,
  createProblem,
  findRevokedProblem,
  findVerdictProblem,
} from "./find-use-problem.ts";
import { holdForExecution } from "./hold-for-execution.ts";
import { readExecutedRequest } from "./read-executed-request.ts";
import { requireNoMcpCall } from "./require-no-mcp-call.ts";
import { FENCE } from "./open-execution.ts";
import { type StartResult, startHeld } from "./start-in-transaction.ts";

type Retry = { id: string; reason: string };

/** An execution that is done again, and the new one. */
type Retried = { execution: Execution; retry: Execution };

/**
 * Has the agent do again what an execution was for. That is decided anew: by stops, policies and budgets, and in place
 * of those who approved it by the person who retries it. What two people had to approve, one can't have done again.
 *
 * @throws {DomainError} forbidden below the role that approved it; unauthenticated if the session ended; self_approval
 *   for who created the task; not_found; validation_failed if the request is not stored whole; invalid_state unless the
 *   outcome is open; emergency_stop; agent_paused; policy_denied; approval_required if more people or another
 *   policy must be asked; approval_expired if the approval was revoked; budget_exceeded.
 */
export async function retryExecution(ctx: Ctx, retry: Retry): Promise<Retried> {
  const startedMs = performance.now();
  const execution = await readExecution(ctx, retry.id);
  requireExecutionState(execution, "resolve");
  await requireNoMcpCall({ run: ctx.read, ctx }, retry.id, "the agent has to make it again");
  const asked = await readExecutedRequest(ctx, execution);
  const wanted = { asked, callerId: execution.agentId, decisionId: null, startedMs };
  const hold = await holdForExecution(ctx, wanted);
  const opened = await startHeld(ctx, hold, {
    start: (tx, retryId) => retryIn(tx, { ...retry, retryId, execution, asked, startedMs }),
  });
  if (opened === null) throw new Error("what was just reserved is another execution's");
  return { execution: await readExecution(ctx, retry.id), retry: opened };
}

async function readExecution({ db, workspaceId }: Ctx, id: string): Promise<Execution> {
  const execution = await db.execution.findUnique({ where: { workspaceId_id: { workspaceId, id } } });
  if (execution === null) throw createNotFoundError("execution");
  return execution;
}

type Start = Retry & { retryId: string; execution: Execution; asked: AccessRequest; startedMs: number };

/** Locks the person, the workspace, the agent, the approval, then the execution. */
async function retryIn(
  tx: Transaction,
  { id, reason, retryId, execution, asked, startedMs }: Start,
): Promise<StartResult> {
  const { ctx } = tx;
  const { agentId, approvalId } = execution;
  const person = await lockApprover(tx);
  const state = await lockGateState(tx, [asked], agentId);
  const decided = await decideRequest(ctx, state, { asked, callerId: agentId });
  const row = createDecisionRow(ctx, decided, { agentId, startedMs, approvalId });
  const stop = findStop(state, { type: "agent", id: agentId });
  const approval = approvalId === null ? null : (await lockApproval(tx, approvalId)).approval;
  if (approval !== null) {
    requireApproverRole(person, approval);
    await requireOtherPerson(tx, await findIssuersOfApproval(tx, approval), person.id);
  }
  const problem = findVerdictProblem(decided.verdict, stop) ?? findRetryProblem(decided.verdict, approval);
  if (problem !== null) return { error: problem.error, row: toRefused(row, problem) };
  const { appended } = await concludeExecution(tx, { id, reason, outcome: "retried", retryId });
  const retry = await insertRetry(tx, { id, retryId, decisionId: row.id });
  const requestHash = Buffer.from(retry.requestHash).toString("hex");
  const permitted = { ...row, ...toPermitted(decided.verdict), requestHash, executionId: retryId };
  await storeDecisionIn(tx, permitted);
  append(tx, mergeAppends(appended, buildExecutionAppend(retry, { type: "execution.started", from: null })));
  return { execution: retry, row: permitted };
}

/** Why one person's word is not enough. */
function findRetryProblem(verdict: Verdict, approval: Approval | null): Problem | null {
  if (approval === null) return verdict.outcome === "ask" ? createAskProblem() : null;
  const revoked = findRevokedProblem(approval);
  if (revoked !== null) return revoked;
  if (approval.persons > 1) {
    const message = `This takes ${approval.persons} people. ${ASK_AGAIN}`;
    return createProblem("approval_required", "approval_required", message);
  }
  if (!isAskedByOthers(approval, verdict)) return null;
  return createProblem("approval_required", "approval_required", `Other policies ask now. ${ASK_AGAIN}`);
}

const ASK_AGAIN = "The agent must ask again.";

function toRefused(row: DecisionRow, { reason }: Problem): DecisionRow {
  return { ...row, outcome: reason === "approval_required" ? "ask" : "deny", reason };
}

function toPermitted({ outcome, reason }: Verdict): Pick<DecisionRow, "outcome" | "reason"> {
  return outcome === "ask" ? { outcome: "allow", reason: "approval_granted" } : { outcome, reason };
}

async function insertRetry(
  { run, ctx }: Transaction,
  { id, retryId, decisionId }: { id: string; retryId: string; decisionId: string },
): Promise<Execution> {
  const [retry] = await run(RETRY, [ctx.workspaceId, id, retryId, decisionId]);
  if (retry === undefined) throw createNotFoundError("execution");
  return retry;
}

/** It uses nothing of the approval. */
const RETRY = sql<Execution>`
INSERT INTO execution AS e (workspace_id, id, approval_id, decision_id, agent_id, credential_id, action, resource_type,
  resource_id, request_hash, fence, lease_seconds, lease_expires_at, retry_of, task_id, trace_id, parent_span_id,
  created_at, updated_at)
SELECT workspace_id, $3::uuid, approval_id, $4::uuid, agent_id, credential_id, action, resource_type,
  resource_id, request_hash, GREATEST(${FENCE}, fence + 1), lease_seconds,
  ${CLOCK} + make_interval(secs => lease_seconds), id, task_id, trace_id, parent_span_id,
  date_trunc('milliseconds', ${NOW}), date_trunc('milliseconds', ${NOW})
FROM execution WHERE workspace_id = $1::uuid AND id = $2::uuid
RETURNING ${selectList("e", TABLES.execution)}`;
