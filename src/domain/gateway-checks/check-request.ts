import { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { isObject } from "../kernel/is-object.ts";
import { parseInput, text, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Verdict } from "../policies/decide.ts";
import { askPeople, toAsk } from "./ask-people.ts";
import { createDecisionRow } from "./create-decision-row.ts";
import { type DecidedRequest, decideRequest } from "./decide-request.ts";
import { holdBudgets, withdrawBudgets } from "./hold-budgets.ts";
import { readGateState } from "./gate-state.ts";
import { type GatewayCheck, mustBeStored, toCheck } from "./gateway-check.ts";
import { type AccessRequest, parseRequest } from "./parse-request.ts";
import { requireKnown } from "./require-known.ts";

const shape = z.object({
  requestText: z.string(),
  autoRequest: z.boolean().default(true),
  waitSeconds: wholeNumber(LIMITS.pollSeconds).default(LIMITS.pollSeconds.default),
  acceptEdits: z.boolean().default(false),
  sessionKey: text(LIMITS.sessionKeyLength).nullable().default(null),
});

/** Where the API keeps the connection open for as long as people may take. */
const heldShape = shape.extend({ waitSeconds: wholeNumber(LIMITS.holdSeconds) });

/**
 * Decides whether the calling agent may do something, or with `gateway:delegate` somebody else. Where policies
 * ask, uses an approval that fits, or asks people. A refusal is stored before this returns, a permission soon
 * after.
 *
 * @param input `requestText` is the request as JSON text: `{subject?, action, resource, context?}`. The approval
 *   in its `context.approval.id` is used, and no other. With `autoRequest` false nobody is asked. `waitSeconds`
 *   is how long to wait for people. With `acceptEdits` approvers may change the arguments: the caller must
 *   execute those of the execution. The same request with the same `sessionKey` gives the same execution, until
 *   that has ended.
 * @throws {DomainError} insufficient_scope without `gateway:check`, or for another subject without
 *   `gateway:delegate`; forbidden for anybody but agents; payload_too_large, invalid_body and
 *   validation_failed for the request; not_found for an unknown approval; rate_limited if people have too many
 *   questions to answer, or too many requests wait; already_executed and arguments_changed for a session key that
 *   was used; idempotency errors.
 */
export async function checkRequest(ctx: Ctx, input: z.input<typeof shape>): Promise<GatewayCheck> {
  const startedMs = performance.now();
  requireScope(ctx, "gateway:check");
  const { id: callerId } = requireAgent(ctx);
  const { requestText, autoRequest, ...options } = parseInput(ctx.canHold ? heldShape : shape, input);
  const asked = parseRequest(requestText);
  const approvalId = getApprovalId(asked);
  const state = await readGateState(ctx, [asked], callerId);
  requireKnown(ctx, asked, { state, callerId });
  const decided = await decideRequest(ctx, state, { asked, callerId });
  const held = await holdBudgets(ctx, state, decided);
  const seen = { callerId, startedMs };
  if ("reason" in held) {
    const verdict: Verdict = {
      ...decided.verdict,
      ...{ outcome: "deny", reason: held.reason, decidedBy: [] },
    };
    const check = await storeDecision(ctx, { ...decided, verdict }, seen);
    return { ...check, budget: held.exceeded };
  }
  const { reservation, asks } = held;
  const verdict = asks ? toAsk(decided.verdict) : decided.verdict;
  const isAsked = verdict.outcome === "ask" && autoRequest;
  let check: GatewayCheck | null = null;
  try {
    check =
      approvalId === null && !isAsked
        ? await storeDecision(ctx, { ...decided, verdict }, seen)
        : toCheck(await askPeople(ctx, { ...options, asked, ...seen, approvalId, isAskedByBudget: asks }));
  } finally {
    if (check?.status !== "allowed") await withdrawBudgets(ctx, reservation);
  }
  return check.status === "allowed" ? { ...check, reservation } : check;
}

/** @throws {DomainError} validation_failed. */
function getApprovalId({ context: { approval } }: AccessRequest): string | null {
  if (approval === undefined || approval === null) return null;
  const id = uuid.safeParse(isObject(approval) ? approval["id"] : null);
  if (!id.success) throw createFieldError("request.context.approval.id", "must be a UUID");
  return id.data;
}

async function storeDecision(
  ctx: Ctx,
  decided: DecidedRequest,
  { callerId, startedMs }: { callerId: string; startedMs: number },
): Promise<GatewayCheck> {
  const row = createDecisionRow(ctx, decided, { agentId: callerId, startedMs });
  const { decisions } = ctx.services;
  await (mustBeStored(row) ? decisions.store(row) : decisions.buffer(row));
  return toCheck({ decision: row, approval: null, execution: null });
}
