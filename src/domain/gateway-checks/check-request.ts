import { z } from "zod";
import type { DecisionReason } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { createConditionValues } from "../policies/condition/condition-values.ts";
import { type Verdict, decide } from "../policies/decide.ts";
import type { EvaluationRequest } from "../policies/evaluation-request.ts";
import { createDecisionRow } from "./create-decision-row.ts";
import { type GateState, readGateState } from "./gate-state.ts";
import { type AccessRequest, parseRequest } from "./parse-request.ts";
import { isAgentType, resolveEntities } from "./resolve-entities.ts";
import { selectPolicies } from "./select-policies.ts";

const shape = z.object({ requestText: z.string() });

/** What the gateway says to a request. */
export type GatewayCheck = {
  /** The decision's id, under which it is logged. */
  id: string;
  isAllowed: boolean;
  reason: DecisionReason;
  decidedAt: Date;
  /** The policies that decided, by name. */
  policies: string[];
};

/**
 * Decides whether the calling agent may do something, or with `gateway:delegate` somebody else. A refusal is
 * stored before this returns, a permission soon after.
 *
 * @param input `requestText` is the request as JSON text: `{subject?, action, resource, context?}`.
 * @throws {DomainError} insufficient_scope without `gateway:check`, or for another subject without
 *   `gateway:delegate`; forbidden for anybody but agents; payload_too_large, invalid_body and
 *   validation_failed for the request.
 */
export async function checkRequest(ctx: Ctx, input: z.input<typeof shape>): Promise<GatewayCheck> {
  const startedMs = performance.now();
  requireScope(ctx, "gateway:check");
  const caller = requireAgent(ctx);
  const asked = parseRequest(parseInput(shape, input).requestText);
  requireSubject(ctx, asked, caller);
  const taskId = getTaskId(asked);
  const names = [asked.subject?.id, asked.resource.id].filter((id) => id !== undefined);
  const state = await readGateState(ctx, { agents: [caller.id, ...names], taskId });
  if (!state.hasTask) throw createFieldError("request.context.task_id", "is not a task of this workspace");
  const request = resolveEntities(asked, state.agents, caller.id);
  const decision = await decideIn(ctx, state, request);
  const row = createDecisionRow(ctx, { asked, request, decision, agentId: caller.id, taskId, startedMs });
  const mustWait = decision.outcome !== "allow" || decision.would !== null;
  await (mustWait ? ctx.services.decisions.store(row) : ctx.services.decisions.buffer(row));
  return {
    id: row.id,
    isAllowed: decision.outcome === "allow",
    reason: decision.reason,
    decidedAt: new Date(row.createdAt),
    policies: decision.decidedBy.map(({ name }) => name),
  };
}

/** @throws {DomainError} insufficient_scope for another subject without `gateway:delegate`. */
function requireSubject(ctx: Ctx, { subject }: AccessRequest, caller: { id: string }): void {
  if (subject === undefined) return;
  if (subject.type === "member") {
    throw createFieldError("request.subject.type", "can't be member: people ask nothing here");
  }
  const isCaller = isAgentType(subject.type) && subject.id.toLowerCase() === caller.id;
  if (!isCaller) requireScope(ctx, "gateway:delegate");
}

/** @throws {DomainError} validation_failed for a `task_id` that is no UUID. */
function getTaskId({ context }: AccessRequest): string | null {
  const { task_id: id } = context;
  if (id === undefined || id === null) return null;
  const parsed = uuid.safeParse(id);
  if (!parsed.success) throw createFieldError("request.context.task_id", "must be a UUID");
  return parsed.data;
}

async function decideIn(ctx: Ctx, state: GateState, request: EvaluationRequest): Promise<Verdict> {
  const before = findStop(state, request);
  if (before !== null) {
    return { outcome: "deny", reason: before, decidedBy: [], terms: null, would: null, results: [] };
  }
  const { index } = await ctx.services.policies.get(ctx.workspaceId, state.generation);
  const policies = await selectPolicies(index, request);
  const values = createConditionValues(request, ctx.now ?? ctx.services.live.now());
  // The scope and role of whoever issues a command were checked already: policies only narrow that.
  return decide(policies, values, request.action.isCommand ? "allow" : state.fallback);
}

/** Why the subject may do nothing at all. */
function findStop(
  { isStopped, agents }: GateState,
  { subject }: EvaluationRequest,
): "emergency_stop" | "agent_stopped" | "agent_paused" | null {
  if (isStopped) return "emergency_stop";
  const agent = agents.find(({ id }) => id === subject.agent?.id);
  if (agent === undefined || agent.controlState === "active") return null;
  return agent.controlState === "paused" ? "agent_paused" : "agent_stopped";
}
