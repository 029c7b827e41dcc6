import { isDeepStrictEqual } from "node:util";
import type { Ctx } from "../kernel/context.ts";
import type { Steps } from "../kernel/turns.ts";
import type { CompiledPolicy } from "../policies/compile-policy.ts";
import { createConditionValues } from "../policies/condition/condition-values.ts";
import { MOST_POLICIES, type Verdict, decide } from "../policies/decide.ts";
import { type AgentCounters, type EvaluationRequest, NO_COUNTERS } from "../policies/evaluation-request.ts";
import type { GatePolicies } from "./gate-policies.ts";
import type { GateAgent, GateState } from "./gate-state.ts";
import type { AccessRequest } from "./parse-request.ts";
import { type EntityName, isAgentType } from "./entity-name.ts";
import { findAgent, findEntity, resolveEntities } from "./resolve-entities.ts";
import { selectPolicies } from "./select-policies.ts";

/** A request with the agents that it names, and what the gateway says to it. */
export type DecidedRequest = {
  asked: AccessRequest;
  request: EvaluationRequest;
  verdict: Verdict;
  /** Null if the policies were not asked. */
  selection: PolicySelection | null;
};

/** The policies in whose scope a request is, of how many, and the generation of all of them. */
export type PolicySelection = { generation: number; total: number; policies: CompiledPolicy[] };

/** `callerId` is null for a person. `change` replaces the workspace's policies by others. */
type Question = {
  asked: AccessRequest;
  callerId: string | null;
  change?: (policies: GatePolicies) => GatePolicies;
};

type AgentQuestion = Question & { callerId: string };

/** Decides one request of an agent by the state in which its names were looked up. Stores nothing. */
export async function decideRequest(
  ctx: Ctx,
  state: GateState,
  question: AgentQuestion,
): Promise<DecidedRequest> {
  return decideStopped(state, question) ?? decideByPolicies(ctx, state, question);
}

/** Null unless the subject, or the agent that asks for it, may do nothing at all. */
export function decideStopped(state: GateState, question: AgentQuestion): DecidedRequest | null {
  const { asked, callerId } = question;
  const stop = findStop(state, asked.subject ?? { type: "agent", id: callerId }, callerId);
  return stop === null ? null : denyUnasked(state, question, stop);
}

/** Denies without asking policies. */
export function denyUnasked(
  state: GateState,
  { asked, callerId }: AgentQuestion,
  reason: Stop | ToolProblem,
): DecidedRequest {
  const request = resolveEntities(asked, state, callerId);
  return { asked, request, verdict: { ...UNASKED, reason }, selection: null };
}

/** {@link decideRequest} by the policies alone, whether or not the subject is stopped. */
export async function decideByPolicies(
  ctx: Ctx,
  state: GateState,
  { asked, callerId, change = (policies) => policies }: Question,
): Promise<DecidedRequest> {
  const request = resolveEntities(asked, state, callerId);
  const known = change(await ctx.services.policies.get(ctx.workspaceId, state.generation));
  const { fallback } = state;
  const deciding = { known, fallback, now: ctx.now ?? ctx.services.live.now(), select: selectPolicies };
  return decideWithCounters(ctx, callerId, (counters) =>
    decideInSteps(deciding, asked, { ...request, ...(counters !== null && { counters }) }),
  );
}

/** Takes the steps again with the counters of the caller if they need them, which they say by null. */
export async function decideWithCounters<Result>(
  { services, workspaceId, read }: Ctx,
  callerId: string | null,
  decideBy: (counters: AgentCounters | null) => Steps<Result | null>,
): Promise<Result> {
  const { policies, counters } = services;
  const decided = await policies.runInTurns(workspaceId, decideBy(null));
  if (decided !== null) return decided;
  // What people did is not counted.
  const known = callerId === null ? NO_COUNTERS : await counters.get(workspaceId, callerId, read);
  const counted = await policies.runInTurns(workspaceId, decideBy(known));
  if (counted === null) throw new Error("the counters are known");
  return counted;
}

/** By what decisions are made. `select` finds the policies in whose scope a request is. */
export type Deciding = {
  known: GatePolicies;
  fallback: GateState["fallback"];
  now: Date;
  select: typeof selectPolicies;
};

/** Decides by policies. Null if they need the counters. */
export function* decideInSteps(
  { known: { index, generation, policies: all }, fallback, now, select }: Deciding,
  asked: AccessRequest,
  request: EvaluationRequest,
): Steps<DecidedRequest | null> {
  const selected = yield* select(index, request);
  const evaluated = selected.slice(0, MOST_POLICIES);
  if (request.counters === undefined && evaluated.some(({ readsCounters }) => readsCounters())) return null;
  // The scope and role of whoever issues a command were checked already: policies only narrow that.
  const otherwise = request.action.isCommand ? "allow" : fallback;
  const verdict = yield* decide(selected, createConditionValues(request, now), otherwise);
  return { asked, request, verdict, selection: { generation, total: all.length, policies: selected } };
}

/** A decision, and the state by which it was made. */
export type MadeDecision = { state: GateState; decided: DecidedRequest };

/** {@link decideRequest}, unless the same request was decided by the same state before. */
export async function decideOnce(
  ctx: Ctx,
  state: GateState,
  { made, ...question }: AgentQuestion & { made: MadeDecision | null },
): Promise<DecidedRequest> {
  const isSame = made?.decided.asked === question.asked && isDeepStrictEqual(made.state, state);
  return isSame ? made.decided : decideRequest(ctx, state, question);
}

const UNASKED = {
  outcome: "deny",
  decidedBy: [],
  terms: null,
  would: null,
  results: [],
  unmet: [],
} as const satisfies Omit<Verdict, "reason">;

/** Why nobody may use a tool. */
export type ToolProblem = "tool_unreviewed" | "tool_blocked";

/** Why an agent may do nothing at all. */
export type Stop = "emergency_stop" | "agent_stopped" | "agent_paused" | "request_unusable";

/**
 * Finds why nothing may be done for a subject, or by the agent that asks for it: an archived agent is stopped, one that
 * never was can't be checked.
 */
export function findStop(
  { agents, entities }: GateState,
  subject: EntityName,
  callerId: string | null = null,
): Stop | null {
  const agent = findAgent(agents, subject);
  const caller = agents.find(({ id }) => id === callerId) ?? null;
  if (agent?.isStopped === true || caller?.isStopped === true) return "emergency_stop";
  const isUnknown = agent === null && isAgentType(subject.type) && findEntity(entities, subject) === null;
  if (isUnknown) return "request_unusable";
  return findStopOf(agent) ?? findStopOf(caller);
}

function findStopOf(agent: GateAgent | null): Stop | null {
  if (agent === null) return null;
  if (agent.isArchived) return "agent_stopped";
  if (agent.controlState === "active") return null;
  return agent.controlState === "paused" ? "agent_paused" : "agent_stopped";
}
