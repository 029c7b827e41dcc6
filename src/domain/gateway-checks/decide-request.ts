import type { Ctx } from "../kernel/context.ts";
import type { Steps } from "../kernel/turns.ts";
import type { CompiledPolicy } from "../policies/compile-policy.ts";
import { createConditionValues } from "../policies/condition/condition-values.ts";
import { type Verdict, decide } from "../policies/decide.ts";
import type { EvaluationRequest } from "../policies/evaluation-request.ts";
import type { GatePolicies } from "./gate-policies.ts";
import type { GateState } from "./gate-state.ts";
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

/** `change` replaces the workspace's policies by others. */
type Question = {
  asked: AccessRequest;
  callerId: string;
  change?: (policies: GatePolicies) => GatePolicies;
};

/** Decides one request by the state in which its names were looked up. Stores nothing. */
export async function decideRequest(
  ctx: Ctx,
  state: GateState,
  { asked, callerId, change = (policies) => policies }: Question,
): Promise<DecidedRequest> {
  const request = resolveEntities(asked, state, callerId);
  const stop = findStop(state, asked.subject ?? { type: "agent", id: callerId });
  if (stop !== null) return { asked, request, verdict: { ...STOPPED, reason: stop }, selection: null };
  const { policies } = ctx.services;
  const known = change(await policies.get(ctx.workspaceId, state.generation));
  const values = createConditionValues(request, ctx.now ?? ctx.services.live.now());
  const { generation, policies: all } = known;
  // The scope and role of whoever issues a command were checked already: policies only narrow that.
  const fallback = request.action.isCommand ? "allow" : state.fallback;
  function* checkInSteps(): Steps<Omit<DecidedRequest, "asked" | "request">> {
    const selected = yield* selectPolicies(known.index, request);
    const verdict = yield* decide(selected, values, fallback);
    return { verdict, selection: { generation, total: all.length, policies: selected } };
  }
  return { asked, request, ...(await policies.runInTurns(ctx.workspaceId, checkInSteps())) };
}

const STOPPED = {
  outcome: "deny",
  decidedBy: [],
  terms: null,
  would: null,
  results: [],
} as const satisfies Omit<Verdict, "reason">;

/** Why an agent may do nothing at all. */
export type Stop = "emergency_stop" | "agent_stopped" | "agent_paused" | "request_unusable";

/** Finds why a subject may do nothing: an archived agent is stopped, one that never was can't be checked. */
export function findStop({ isStopped, agents, entities }: GateState, subject: EntityName): Stop | null {
  if (isStopped) return "emergency_stop";
  if (!isAgentType(subject.type)) return null;
  const agent = findAgent(agents, subject);
  if (agent === null) return findEntity(entities, subject) === null ? "request_unusable" : null;
  if (agent.isArchived) return "agent_stopped";
  if (agent.controlState === "active") return null;
  return agent.controlState === "paused" ? "agent_paused" : "agent_stopped";
}
