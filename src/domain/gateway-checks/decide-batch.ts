import type { Ctx } from "../kernel/context.ts";
import type { Steps } from "../kernel/turns.ts";
import type { CompiledPolicy } from "../policies/compile-policy.ts";
import type { AgentCounters, EvaluationRequest } from "../policies/evaluation-request.ts";
import {
  type DecidedRequest,
  type Deciding,
  decideInSteps,
  decideStopped,
  decideWithCounters,
} from "./decide-request.ts";
import type { GateState } from "./gate-state.ts";
import type { AccessRequest } from "./parse-request.ts";
import { resolveEntities } from "./resolve-entities.ts";
import { selectPolicies } from "./select-policies.ts";

type Asked = {
  requests: readonly AccessRequest[];
  callerId: string;
  /** Whether nothing is to be said of those after this one. */
  isEnough: (decided: DecidedRequest) => boolean;
};

/** Decides requests of an agent by one state, in their order, until one is enough. Stores nothing. */
export async function decideBatch(
  ctx: Ctx,
  state: GateState,
  { requests, callerId, isEnough }: Asked,
): Promise<DecidedRequest[]> {
  const known = await ctx.services.policies.get(ctx.workspaceId, state.generation);
  const { fallback } = state;
  const now = ctx.now ?? ctx.services.live.now();
  const deciding: Deciding = { known, fallback, now, select: rememberSelections() };
  function* decideAll(counters: AgentCounters | null): Steps<DecidedRequest[] | null> {
    const decided: DecidedRequest[] = [];
    for (const asked of requests) {
      const request = { ...resolveEntities(asked, state, callerId), ...(counters !== null && { counters }) };
      const one =
        decideStopped(state, { asked, callerId }) ?? (yield* decideInSteps(deciding, asked, request));
      if (one === null) return null;
      decided.push(one);
      if (isEnough(one)) break;
      yield;
    }
    return decided;
  }
  return decideWithCounters(ctx, callerId, decideAll);
}

/** {@link selectPolicies}, once for requests of the same names: scopes say nothing of arguments. */
function rememberSelections(): Deciding["select"] {
  const known = new Map<string, CompiledPolicy[]>();
  return function* select(index, request) {
    const names = nameScope(request);
    const selected = known.get(names) ?? (yield* selectPolicies(index, request));
    known.set(names, selected);
    return selected;
  };
}

/** All of a request that scopes look at. Names are those of one state, so that each is of one agent. */
function nameScope({ subject, action, resource }: EvaluationRequest): string {
  const { type, id, role } = subject;
  return JSON.stringify([type, id, role, action.name, resource.type, resource.id]);
}
