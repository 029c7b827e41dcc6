import type { Steps } from "../kernel/turns.ts";
import type { CompiledPolicy } from "../policies/compile-policy.ts";
import { MOST_POLICIES } from "../policies/decide.ts";
import type { EvaluationRequest } from "../policies/evaluation-request.ts";
import type { PolicyIndex } from "../policies/policy-index.ts";

/** Finds the policies in whose scope a request is, and compiles their conditions. */
export function* selectPolicies(
  index: PolicyIndex<CompiledPolicy>,
  request: EvaluationRequest,
): Steps<CompiledPolicy[]> {
  const selected: CompiledPolicy[] = [];
  for (const policy of index.find(request)) {
    if (policy.isInScope(request)) {
      if (selected.length < MOST_POLICIES) policy.getCondition();
      selected.push(policy);
    }
    yield;
  }
  return selected;
}
