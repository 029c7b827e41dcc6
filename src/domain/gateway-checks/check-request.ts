import { z } from "zod";
import { canBeAsked } from "../approvals/insert-approvals.ts";
import type { DecisionLogSettings } from "../decisions/decision-log.ts";
import type { Ctx } from "../kernel/context.ts";
import type { ExceededBudget } from "../kernel/errors.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput, text, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Verdict } from "../policies/decide.ts";
import { type Asking, toAsk } from "./ask-people.ts";
import { type Terms, askWithinBudgets, repeatAnswer } from "./ask-within-budgets.ts";
import { describeDecision } from "./describe-decision.ts";
import {
  type DecidedRequest,
  type MadeDecision,
  type ToolProblem,
  decideRequest,
  decideStopped,
  denyUnasked,
} from "./decide-request.ts";
import {
  type BudgetRefusal,
  type HeldBudgets,
  type Hold,
  NOTHING_HELD,
  findUse,
  holdBudgets,
  withdrawBudgets,
} from "./hold-budgets.ts";
import { type GateState, readGateState } from "./gate-state.ts";
import { type GatewayCheck, toCheck } from "./gateway-check.ts";
import { type NamedApproval, findNamedApproval } from "./find-named-approval.ts";
import { type AccessRequest, parseRequest } from "./parse-request.ts";
import { requireKnown } from "./require-known.ts";
import { type DecisionName, nameDecision, summarizeDecision } from "./summarize-decision.ts";

const shape = z.object({
  requestText: z.string(),
  autoRequest: z.boolean().default(true),
  waitSeconds: wholeNumber(LIMITS.pollSeconds).default(LIMITS.pollSeconds.default),
  acceptEdits: z.boolean().default(false),
  reevaluates: z.boolean().default(false),
  sessionKey: text(LIMITS.sessionKeyLength).nullable().default(null),
});

/** A check that was parsed. */
type Check = z.output<typeof shape> &
  Pick<Asking, "leaseSeconds" | "onUse"> &
  Pick<Terms, "onWait"> & {
    /** Why it is denied whatever policies say. */
    toolProblem: ToolProblem | null;
  };

/** Where the API keeps the connection open for as long as people may take. */
const heldShape = shape.extend({ waitSeconds: wholeNumber(LIMITS.holdSeconds) });

/**
 * Decides whether the calling agent may do something, or with `gateway:delegate` somebody else. Where policies
 * ask, uses an approval that fits, or asks people. A refusal is stored before this returns, a permission soon
 * after.
 *
 * @param input `requestText` is the request as JSON text: `{subject?, action, resource, context?}`. The approval
 *   in its `context.approval.id` is used, and no other. With `autoRequest` false nobody is asked. `waitSeconds`
 *   is how long to wait for people. With `reevaluates`, an approval that can't be found denies instead of being an error,
 *   and nobody reports how its execution ends. With `acceptEdits` approvers may change the arguments: the caller must
 *   execute those of the execution. The same request with the same `sessionKey` gives the same execution, until
 *   that has ended.
 * @throws {DomainError} insufficient_scope without `gateway:check`, or for another subject without
 *   `gateway:delegate`; forbidden for anybody but agents; payload_too_large, invalid_body and
 *   validation_failed for the request; not_found for an unknown approval; rate_limited if people have too many
 *   questions to answer, or too many requests wait; already_executed and arguments_changed for a session key that
 *   was used; idempotency errors.
 */
export async function checkRequest(ctx: Ctx, input: z.input<typeof shape>): Promise<GatewayCheck> {
  requireScope(ctx, "gateway:check");
  const parsed = parseInput(ctx.canHold ? heldShape : shape, input);
  const { check } = await checkCaller(ctx, { ...parsed, toolProblem: null });
  return check;
}

/** A check, and what policies said by themselves. */
export type CallerCheck = { check: GatewayCheck; made: MadeDecision };

/** {@link checkRequest} for who may ask by another scope. */
export async function checkCaller(ctx: Ctx, check: Check): Promise<CallerCheck> {
  const startedMs = performance.now();
  const { id: callerId } = requireAgent(ctx);
  const asked = parseRequest(check.requestText);
  const state = await readGateState(ctx, [asked], callerId);
  requireKnown(ctx, asked, { state, callerId });
  const named = await findNamedApproval(ctx, asked, { callerId, reevaluates: check.reevaluates });
  const made = {
    state,
    decided: await decide(ctx, state, { asked, callerId, toolProblem: check.toolProblem }),
  };
  return { check: await answerCheck(ctx, check, { ...named, ...made, callerId, startedMs }), made };
}

type CallerQuestion = { asked: AccessRequest; callerId: string; toolProblem: ToolProblem | null };

async function decide(
  ctx: Ctx,
  state: GateState,
  { toolProblem, ...question }: CallerQuestion,
): Promise<DecidedRequest> {
  if (toolProblem === null) return decideRequest(ctx, state, question);
  return decideStopped(state, question) ?? denyUnasked(state, question, toolProblem);
}

type Begun = NamedApproval & MadeDecision & { callerId: string; startedMs: number };

async function answerCheck(
  ctx: Ctx,
  { requestText: _text, autoRequest, reevaluates, waitSeconds, onWait, ...options }: Check,
  { approvalId, isUnverifiable, state, decided: byPolicies, callerId, startedMs }: Begun,
): Promise<GatewayCheck> {
  const { asked } = byPolicies;
  const decided = isUnverifiable ? toUnverifiable(byPolicies) : byPolicies;
  const name = nameDecision(ctx);
  const seen = { callerId, startedMs, name, log: state.log };
  async function hold(now: GateState, isRepeatable: boolean): Promise<HeldBudgets> {
    return holdBudgets(ctx, now, { ...decided, callerId, decisionId: name.id, isRepeatable });
  }
  const isAllowed = decided.verdict.outcome === "allow";
  // Where people decide, the use of their approval holds budgets, and its execution has the Idempotency-Key.
  const isPlain = isAllowed && approvalId === null;
  const held = isPlain ? await hold(state, ctx.idempotency !== null) : NOTHING_HELD;
  const question = {
    ...options,
    asked,
    callerId,
    startedMs,
    approvalId,
    isAskedByBudget: isAllowed,
    isReported: !reevaluates,
  };
  if ("exceeded" in held) {
    const earlier = await repeatAnswer(ctx, question);
    return earlier ?? denyForBudget(ctx, decided, { ...seen, refusal: held });
  }
  const verdict = held.asks ? toAsk(decided.verdict) : decided.verdict;
  const isAsked = verdict.outcome === "ask" && autoRequest;
  if (approvalId === null && !isAsked) return storePlain(ctx, { ...decided, verdict }, { ...seen, held });
  await withdrawBudgets(ctx, held.reservation);
  const answer = await askWithinBudgets(ctx, question, {
    isBudgeted: (await findUse(ctx, state, { ...decided, callerId })) !== null,
    hold: async () => hold(await readGateState(ctx, [asked], callerId), false),
    waitSeconds,
    ...(onWait && { onWait }),
  });
  if ("exceeded" in answer) return denyForBudget(ctx, decided, { ...seen, refusal: answer });
  return withRequestable(answer, asked);
}

/** Stores a decision without people, and keeps what is held only for a permission. */
async function storePlain(
  ctx: Ctx,
  decided: DecidedRequest,
  { held, ...seen }: Seen & { held: Hold },
): Promise<GatewayCheck> {
  const { reservation, isRepeated } = held;
  let isAllowed = false;
  try {
    const check = await storeDecision(ctx, decided, seen);
    isAllowed = check.status === "allowed";
    return isAllowed ? { ...check, reservation } : withRequestable(check, decided.asked);
  } finally {
    if (!isAllowed && !isRepeated) await withdrawBudgets(ctx, reservation);
  }
}

async function denyForBudget(
  ctx: Ctx,
  decided: DecidedRequest,
  { refusal, ...seen }: Seen & { refusal: BudgetRefusal },
): Promise<GatewayCheck> {
  const { reason, exceeded } = refusal;
  const verdict: Verdict = { ...decided.verdict, outcome: "deny", reason, decidedBy: [] };
  const check = await storeDecision(ctx, { ...decided, verdict }, { ...seen, budget: exceeded });
  return { ...check, budget: exceeded };
}

/** People can be asked only about what they can read. */
function withRequestable(check: GatewayCheck, asked: AccessRequest): GatewayCheck {
  return check.requestableUntil === null || canBeAsked(asked) ? check : { ...check, requestableUntil: null };
}

/** Where policies ask, an approval that can't be verified grants nothing. */
function toUnverifiable(decided: DecidedRequest): DecidedRequest {
  const { verdict } = decided;
  if (verdict.outcome !== "ask") return decided;
  const denied = { ...verdict, outcome: "deny", reason: "approval_unverifiable", terms: null } as const;
  return { ...decided, verdict: denied };
}

type Seen = {
  callerId: string;
  startedMs: number;
  name: DecisionName;
  log: DecisionLogSettings;
  budget?: ExceededBudget | null;
};

async function storeDecision(
  ctx: Ctx,
  decided: DecidedRequest,
  { callerId, log, ...seen }: Seen,
): Promise<GatewayCheck> {
  const summary = summarizeDecision(ctx, decided, { ...seen, agentId: callerId });
  await ctx.services.decisions.log([{ summary, describe: () => describeDecision(decided, callerId) }], log);
  return toCheck({ decision: summary, approval: null, execution: null });
}
