import { setImmediate } from "node:timers/promises";
import type { CompiledPolicy } from "../policies/compile-policy.ts";
import { MOST_POLICIES } from "../policies/decide.ts";
import type { EvaluationRequest } from "../policies/evaluation-request.ts";
import type { PolicyIndex } from "../policies/policy-index.ts";

/** How long others wait at most. */
const TURN_MS = 5;

/** Finds the policies in whose scope a request is, and compiles their conditions. Lets others have turns. */
export async function selectPolicies(
  index: PolicyIndex<CompiledPolicy>,
  request: EvaluationRequest,
): Promise<CompiledPolicy[]> {
  const selected: CompiledPolicy[] = [];
  let turnMs = performance.now();
  for (const policy of index.find(request)) {
    if (performance.now() - turnMs > TURN_MS) {
      await setImmediate();
      turnMs = performance.now();
    }
    if (!policy.isInScope(request)) continue;
    if (selected.length < MOST_POLICIES) policy.getCondition();
    selected.push(policy);
  }
  return selected;
}
