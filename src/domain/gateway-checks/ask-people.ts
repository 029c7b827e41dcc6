import type { Approval, Execution } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import { findIssuers, toAsked } from "../approvals/find-issuers.ts";
import { canBeAsked } from "../approvals/insert-approvals.ts";
import { requestApproval } from "../approvals/request-approval.ts";
import type { DecisionRow, MatchedPolicy } from "../decisions/decision-row.ts";
import { withDecisionPartition } from "../decisions/store-decision.ts";
import { findRepeatProblem } from "../executions/find-repeat-problem.ts";
import { findOwnApproval } from "../executions/find-use-problem.ts";
import { redeemApprovalIn } from "../executions/redeem-approval.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import type { DomainError, ErrorCode } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import type { Verdict } from "../policies/decide.ts";
import { USUAL_TERMS } from "../policies/policy-rule.ts";
import { claimIdempotencyKey } from "../kernel/idempotency.ts";
import { LIMITS } from "../kernel/limits.ts";
import { waitFor } from "../kernel/wait-for.ts";
import { isStoppedSql } from "../stops/is-stopped.ts";
import { createDecisionRow } from "./create-decision-row.ts";
import { decideRequest } from "./decide-request.ts";
import { findRepeated } from "./find-repeated.ts";
import { lockGateState } from "./gate-state.ts";
import { bindVerdict } from "./hash-request.ts";
import type { AccessRequest } from "./parse-request.ts";
import { requireKnown } from "./require-known.ts";

/** A request about which policies ask people. */
export type Asking = {
  asked: AccessRequest;
  callerId: string;
  /** When the check began, by `performance.now()`. */
  startedMs: number;
  /** Whether the caller executes other arguments if approvers change them. */
  acceptEdits: boolean;
  /** The approval to use; null for any that fits. */
  approvalId: string | null;
  /**
   * `use`: an approval, or ask people. `ask`: only ask, where nothing is held of budgets yet. `repeat`: neither, only
   * find what an earlier request got.
   */
  mode: "use" | "ask" | "repeat";
  /** Whether a budget's threshold asks, if policies don't. */
  isAskedByBudget: boolean;
  /** The caller's own name for this request; null for none. */
  sessionKey: string | null;
  /** Whether the caller says how the execution ends. */
  isReported: boolean;
  /** How long the execution may take. Default: as long as its kind usually may. */
  leaseSeconds?: number;
  /** Runs in the transaction that opens an execution. If it fails, nothing is used. */
  onUse?: (tx: Transaction, execution: Execution) => Promise<void>;
};

/** The decision's row, new or as it was stored. */
type Decided = Pick<DecisionRow, "id" | "outcome" | "reason" | "matched"> & { createdAt: Date | string };

/** What people said. A decision to ask with an approval is an open question. */
export type PeopleAnswer = {
  decision: Decided;
  approval: Approval | null;
  execution: Execution | null;
  /** Whether it is the answer to an earlier request. */
  isRepeated?: boolean;
};

/** An answer of a transaction: `row` is to be stored after it, `storedRow` was, and `error` is to be thrown then. */
type Settled = PeopleAnswer & { row?: DecisionRow; storedRow?: DecisionRow; error?: DomainError };

/** Waits until people have decided, or the agent is stopped. @returns whether that happened in time. */
export async function waitForPeople(ctx: Ctx, approvalId: string, seconds: number): Promise<boolean> {
  if (seconds === 0) return false;
  function concerns({ subjectId, type }: { subjectId: string; type: string }): boolean {
    return subjectId === approvalId || type === "stop.started";
  }
  // Every answer is an event, and so is a stop. Held calls wait too long to look often.
  const everyMs = ctx.canHold ? LOOK_EVERY_MS : undefined;
  const answered = await waitFor(ctx, { seconds, concerns, ...(everyMs && { everyMs }) }, async () => {
    const [found] = await ctx.read(ANSWERED, [ctx.workspaceId, approvalId]);
    return found ?? null;
  });
  return answered !== null;
}

const LOOK_EVERY_MS = 120_000;

const ANSWERED = sql`
SELECT 1 FROM approval p JOIN agent a ON a.workspace_id = p.workspace_id AND a.id = p.agent_id
WHERE p.workspace_id = $1::uuid AND p.id = $2::uuid AND (p.status <> 'pending' OR ${isStoppedSql("a")})`;

/**
 * Uses an approval for a request, or asks people. A repeated Idempotency-Key or session key gives the execution of the
 * first request, as long as that may go on: a stop or a policy that denies it since is the answer. So is that it has
 * ended, with the execution.
 *
 * @returns null if the mode doesn't allow what is to be done.
 * @throws {DomainError} rate_limited if too many questions are open, or as findIssuers; not_found for an unknown
 *   `approvalId`; forbidden for that of another API key; already_executed, lease_lost and arguments_changed for a
 *   repeated session key; idempotency errors.
 */
export async function askPeople(
  ctx: Ctx,
  asking: Asking,
  newExecutionId: string,
): Promise<PeopleAnswer | null> {
  const settled = await withDecisionPartition(ctx, () =>
    ctx.transaction(async (tx): Promise<Settled | null> => {
      const id = (await claimIdempotencyKey(tx, newExecutionId)) ?? newExecutionId;
      const repeated = await findRepeated(tx, asking);
      const earlier = repeated ?? (id === newExecutionId ? null : await findExecution(tx, id));
      if (earlier !== null) return repeatAnswer(tx, asking, earlier.id);
      if (asking.mode === "repeat") return null;
      const { asked, callerId: agentId, approvalId } = asking;
      // Before the workspace and the agent are locked: there may be much work.
      const [issuerIds, approval] = await Promise.all([
        findIssuers(tx, toAsked(asked, agentId)),
        approvalId === null ? null : findOwnApproval(tx, { id: approvalId, agentId }),
      ]);
      return useOrAsk(tx, { ...asking, issuerIds, approval }, id);
    }),
  );
  if (settled === null) return null;
  const { row, storedRow, error, ...answer } = settled;
  if (row !== undefined) await ctx.services.decisions.store(row);
  if (storedRow !== undefined) ctx.services.decisions.count(storedRow);
  if (error !== undefined) throw error;
  return answer;
}

/** Null if the first request opened no execution. */
async function findExecution(
  { db, ctx: { workspaceId } }: Transaction,
  id: string,
): Promise<Execution | null> {
  return db.execution.findUnique({ where: { workspaceId_id: { workspaceId, id } } });
}

/** The answer that opened an execution, or why that may not go on. */
async function repeatAnswer(tx: Transaction, asking: Asking, executionId: string): Promise<Settled> {
  const { db, ctx } = tx;
  const { workspaceId } = ctx;
  const { execution, approval, refusal } = await findRepeatProblem(tx, asking, executionId);
  if (refusal !== null) {
    const { error, row } = refusal;
    const hasEnded = ENDED.has(error.code);
    const isError = asking.sessionKey !== null && (hasEnded || MISUSED.has(error.code));
    const settled = { ...toSettled(row, approval), execution: hasEnded ? execution : null };
    return isError ? { ...settled, error } : settled;
  }
  const where = { workspaceId_id: { workspaceId, id: execution.decisionId } };
  const { matched, ...decision } = await db.decision.findUniqueOrThrow({ where });
  // Written by createDecisionRow().
  const stored = { ...decision, matched: matched as MatchedPolicy[] };
  return { decision: stored, execution, approval, isRepeated: true };
}

/** An execution that is over. */
const ENDED: ReadonlySet<ErrorCode> = new Set(["already_executed", "lease_lost"]);

/** A session key that is another API key's, or another request's. */
const MISUSED: ReadonlySet<ErrorCode> = new Set(["forbidden", "arguments_changed"]);

/** Asks with the usual terms what policies allow. What they deny or ask about stays so. */
export function toAsk(verdict: Verdict): Verdict {
  if (verdict.outcome !== "allow") return verdict;
  return { ...verdict, outcome: "ask", reason: "approval_required", decidedBy: [], terms: USUAL_TERMS };
}

/** Asking for the work of some people, or for them, with the approval that is to be used. */
type AskingFor = Omit<Asking, "approvalId"> & { issuerIds: readonly string[]; approval: Approval | null };

async function useOrAsk(tx: Transaction, asking: AskingFor, executionId: string): Promise<Settled | null> {
  const { approval } = asking;
  return approval === null
    ? answerAny(tx, asking, executionId)
    : answerFrom(tx, { ...asking, approval }, executionId);
}

/** Uses an approval that fits, or asks. */
async function answerAny(tx: Transaction, asking: AskingFor, executionId: string): Promise<Settled | null> {
  const { ctx } = tx;
  const { asked, callerId, startedMs, acceptEdits, issuerIds } = asking;
  const state = await lockGateState(tx, [asked], callerId);
  requireKnown(ctx, asked, { state, callerId });
  const byPolicies = await decideRequest(ctx, state, { asked, callerId });
  const verdict = asking.isAskedByBudget ? toAsk(byPolicies.verdict) : byPolicies.verdict;
  const decided = { ...byPolicies, verdict };
  const { outcome, terms } = verdict;
  // What policies allow meanwhile uses budgets.
  if (outcome === "allow" && asking.mode === "ask") return null;
  const row = createDecisionRow(ctx, decided, { agentId: callerId, startedMs });
  if (outcome !== "ask" || terms === null) return toSettled(row, null);
  if (!canBeAsked(asked)) return toSettled({ ...row, outcome: "deny", reason: "request_unusable" }, null);
  const binding = bindVerdict(callerId, decided.verdict);
  const question = { asked, binding, acceptEdits, terms, issuerIds, decisionId: row.id };
  const requested = await requestApproval(tx, question);
  if ("error" in requested) return { ...toSettled(row, null), error: requested.error };
  const { answer, appended } = requested;
  if (appended !== null) append(tx, appended);
  const { approval, kind } = answer;
  if (kind === "approved") return answerFrom(tx, { ...asking, approval }, executionId);
  const isDenied = kind === "denied";
  const said = { ...row, approvalId: approval.id };
  return toSettled(isDenied ? { ...said, outcome: "deny", reason: "approval_denied" } : said, approval);
}

type AskingWith = AskingFor & { approval: Approval };

/** Uses one approval. */
async function answerFrom(tx: Transaction, asking: AskingWith, executionId: string): Promise<Settled | null> {
  const { approval: before, callerId: _caller, sessionKey, mode, leaseSeconds: asked, ...rest } = asking;
  if (mode === "ask") return null;
  const redemption = { ...rest, id: executionId, approvalId: before.id, approval: before, sessionKey };
  // What has a session key is reported at its end only: no heartbeat extends its lease.
  const { max, default: usual } = LIMITS.executionLeaseSeconds;
  const leaseSeconds = asked ?? (sessionKey === null ? usual : max);
  const result = await redeemApprovalIn(tx, { ...redemption, leaseSeconds });
  if ("error" in result) {
    const { row, error } = result;
    return { ...toSettled(row, before), ...(error.code === "forbidden" && { error }) };
  }
  const { row, approval, execution } = result;
  return { decision: row, storedRow: row, approval, execution };
}

/** An answer without an execution. */
function toSettled(row: DecisionRow, approval: Approval | null): Settled {
  return { row, decision: row, approval, execution: null };
}
