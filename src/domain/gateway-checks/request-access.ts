import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { Approval, Decision } from "../../db/generated/client.ts";
import { findIssuers, toAsked } from "../approvals/find-issuers.ts";
import { canBeAsked } from "../approvals/insert-approvals.ts";
import { requestApproval } from "../approvals/request-approval.ts";
import type { MatchedPolicy } from "../decisions/decision-row.ts";
import { findOwnApproval } from "../executions/find-use-problem.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { claimIdempotencyKey, moveIdempotencyKey } from "../kernel/idempotency.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { combineTerms } from "../policies/combine-terms.ts";
import { toAsk } from "./ask-people.ts";
import { decideRequest } from "./decide-request.ts";
import { type GateState, lockGateState } from "./gate-state.ts";
import { type Binding, bindVerdict, hashRequest, toAskingPolicy } from "./hash-request.ts";
import { type AccessRequest, parseRequest } from "./parse-request.ts";
import { type Denial, getRequestableUntil, listAskingPolicies } from "./requestable-denial.ts";
import { requireKnown } from "./require-known.ts";

const shape = z.object({
  requestText: z.string(),
  /** The decision that said that people can be asked. */
  evaluationId: uuid,
  /** Until when it said so, if the API hands that out. */
  expiresAt: z.date().nullable().default(null),
});

/**
 * Asks people about a request that was denied for want of an approval, and that an evaluation said can be asked
 * about. It must be the same request, and the same policies must ask. A repeated Idempotency-Key gives the approval of
 * the first request; so does the same question while it is open or its answer counts.
 *
 * @param input `requestText` is the request as JSON text.
 * @throws {DomainError} insufficient_scope without `gateway:check`, or for another subject without
 *   `gateway:delegate`; forbidden for anybody but agents; payload_too_large, invalid_body and validation_failed for
 *   the request; not_requestable; expired_denial; invalid_denial_binding; rate_limited if people have too many
 *   questions to answer, or as findIssuers; idempotency errors.
 */
export async function requestAccess(ctx: Ctx, input: z.input<typeof shape>): Promise<Approval> {
  requireScope(ctx, "gateway:check");
  const { id: callerId } = requireAgent(ctx);
  const { requestText, ...denial } = parseInput(shape, input);
  const asked = parseRequest(requestText);
  return ctx.transaction(async (tx) => {
    const earlier = await claimIdempotencyKey(tx, uuidv7());
    if (earlier !== null) return findOwnApproval(tx, { id: earlier, agentId: callerId });
    const approval = await ask(tx, { ...denial, asked, callerId });
    await moveIdempotencyKey(tx, approval.id);
    return approval;
  });
}

type Asking = { asked: AccessRequest; callerId: string; evaluationId: string; expiresAt: Date | null };

async function ask(tx: Transaction, { asked, callerId, evaluationId, expiresAt }: Asking): Promise<Approval> {
  const { ctx } = tx;
  const issuerIds = await findIssuers(tx, toAsked(asked, callerId));
  const state = await lockGateState(tx, [asked], callerId);
  requireKnown(ctx, asked, { state, callerId });
  const decision = await findDecision(tx, evaluationId, callerId);
  // Written by createDecisionRow().
  const denial: Denial = { ...decision, matched: decision.matched as MatchedPolicy[] };
  requireFresh(denial, expiresAt, await tx.now());
  const binding = await findBinding(ctx, state, { denial, callerId });
  const isSame = hashRequest(asked, binding) === Buffer.from(decision.requestHash).toString("hex");
  if (!isSame) throw createBindingError("This is not the request that was evaluated.");
  const byPolicies = await decideRequest(ctx, state, { asked, callerId });
  const verdict = binding.askedBy.length === 0 ? toAsk(byPolicies.verdict) : byPolicies.verdict;
  if (verdict.outcome !== "ask" || verdict.terms === null || !canBeAsked(asked)) {
    throw new DomainError("not_requestable", "People are not asked about this: evaluate it again.");
  }
  const requested = await requestApproval(tx, {
    asked,
    binding: bindVerdict(callerId, verdict),
    acceptEdits: false,
    terms: verdict.terms,
    decisionId: evaluationId,
    issuerIds,
  });
  if ("error" in requested) throw requested.error;
  if (requested.appended !== null) append(tx, requested.appended);
  return requested.answer.approval;
}

/** @throws {DomainError} invalid_denial_binding, also for a decision on a request of another agent. */
async function findDecision({ db, ctx }: Transaction, id: string, agentId: string): Promise<Decision> {
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const decision = await db.decision.findUnique({ where });
  if (decision?.agentId === agentId) return decision;
  throw createBindingError("There is no such evaluation of yours.");
}

/** @throws {DomainError} not_requestable; expired_denial; invalid_denial_binding. */
function requireFresh(denial: Denial, expiresAt: Date | null, now: Date): void {
  const until = getRequestableUntil(denial);
  if (until === null)
    throw new DomainError("not_requestable", "The evaluation did not say that people can be asked.");
  if (until <= now || (expiresAt ?? until) <= now) {
    throw new DomainError(
      "expired_denial",
      "People can't be asked about this evaluation any more: evaluate again.",
    );
  }
  if (expiresAt !== null && until.getTime() !== expiresAt.getTime()) {
    throw createBindingError("expires_at is not that of the evaluation.");
  }
}

/**
 * What the denial was bound to. Without policies, a budget asked.
 *
 * @throws {DomainError} invalid_denial_binding if one of the policies was changed since.
 */
async function findBinding(
  { services, workspaceId }: Ctx,
  { generation }: GateState,
  { denial, callerId: agentId }: { denial: Denial; callerId: string },
): Promise<Binding> {
  const { policies } = await services.policies.get(workspaceId, generation);
  const asking = listAskingPolicies(denial).map(({ id, generation: then }) => {
    const policy = policies.find((one) => one.id === id && one.generation === then);
    if (policy !== undefined) return policy;
    throw createBindingError("The policies that ask have changed: evaluate again.");
  });
  return { agentId, askedBy: asking.map(toAskingPolicy), scope: combineTerms(asking)?.scope ?? "exact" };
}

function createBindingError(message: string): DomainError {
  return new DomainError("invalid_denial_binding", message);
}
