import { z } from "zod";
import {
  type ExplainedPolicy,
  type Explanation,
  explainPolicies,
  listSteps,
  listUnlisted,
} from "../decisions/explanation.ts";
import { type DecidedRequest, decideRequest } from "../gateway-checks/decide-request.ts";
import { readGateState } from "../gateway-checks/gate-state.ts";
import { type AccessRequest, parseRequest } from "../gateway-checks/parse-request.ts";
import { type RankedResult, rankResults } from "../gateway-checks/rank-results.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError, createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { createConditionValues } from "./condition/condition-values.ts";
import { DRAFT_ID, type PolicyChangesInput, draftPolicies } from "./draft-policies.ts";

const shape = z.object({ requestText: z.string(), agentId: uuid.nullish() });

type TestInput = z.input<typeof shape> & { changes?: PolicyChangesInput | null };

/**
 * Explains what the gateway would say to a request now, with changes of the policies if some are given. Nothing is
 * stored.
 *
 * @param input `requestText` as in a check; `agentId` is the agent that asks, which may be left out if the
 *   request has a subject.
 * @throws {DomainError} insufficient_scope without `gateway:read`; not_found for the agent; payload_too_large,
 *   invalid_body and validation_failed for the request and the changes.
 */
export async function testPolicies(ctx: Ctx, { changes, ...input }: TestInput): Promise<Explanation> {
  requireScope(ctx, "gateway:read");
  const { requestText, agentId } = parseInput(shape, input);
  const asked = parseRequest(requestText);
  const callerId = getCallerId(asked, agentId ?? null);
  const state = await readGateState(ctx, [asked], callerId);
  const isKnown = typeof agentId !== "string" || state.agents.some(({ id }) => id === agentId);
  if (!isKnown) throw createNotFoundError("agent");
  const draft = changes ? await draftPolicies(ctx, changes) : null;
  const decided = await decideRequest(ctx, state, {
    asked,
    callerId,
    ...(draft !== null && { change: draft.change }),
  });
  return explain(ctx, decided);
}

function getCallerId({ subject }: AccessRequest, agentId: string | null): string {
  const id = agentId ?? subject?.id;
  if (id === undefined) throw createFieldError("agentId", "is required for a request without a subject");
  return id;
}

async function explain(
  ctx: Ctx,
  { asked, request, verdict, selection }: DecidedRequest,
): Promise<Explanation> {
  const { outcome, reason, terms } = verdict;
  const values = createConditionValues(request, ctx.now ?? ctx.services.live.now());
  const ranked = rankResults(verdict);
  const explained = await ctx.services.policies.runInTurns(
    ctx.workspaceId,
    explainPolicies(ranked.map(toExplained), { ...values, isUnknown: () => false }),
  );
  const considered = selection?.policies.length ?? 0;
  const policies = selection && { considered, of: selection.total, policies: explained };
  return {
    outcome,
    reason,
    request: asked,
    generation: selection?.generation ?? null,
    steps: listSteps({ outcome, reason, policies, approval: terms, budget: null }),
    gaps: listUnlisted(considered, ranked.length),
  };
}

function toExplained({ policy, result, decided }: RankedResult): ExplainedPolicy {
  const { id, generation, name, effect, mode, when } = policy;
  const saved = id === DRAFT_ID ? { id: null, generation: null } : { id, generation };
  return { ...saved, name, effect, mode, result, decided, when };
}
