import type { Steps } from "../kernel/turns.ts";
import type { CompiledPolicy } from "../policies/compile-policy.ts";
import { MOST_POLICIES } from "../policies/decide.ts";
import type { EvaluationRequest } from "../policies/evaluation-request.ts";
import type { PolicyIndex } from "../policies/policy-index.ts";

/** How many policies are looked at before others have a turn. */
const TURN_POLICIES = 16;

/** Finds the policies in whose scope a request is, and compiles their conditions. */
export function* selectPolicies(
  index: PolicyIndex<CompiledPolicy>,
  request: EvaluationRequest,
): Steps<CompiledPolicy[]> {
  const selected: CompiledPolicy[] = [];
  let seen = 0;
  for (const policy of index.find(request)) {
    if (++seen % TURN_POLICIES === 0) yield;
    if (!policy.isInScope(request)) continue;
    if (selected.length < MOST_POLICIES) policy.getCondition();
    selected.push(policy);
  }
  return selected;
}
