import { LIMITS } from "../kernel/limits.ts";
import type { PolicyResult, Verdict } from "../policies/decide.ts";

/** Whether a policy's condition holds, or why that can't be said, and whether it made the outcome. */
export type RankedResult = {
  policy: PolicyResult["policy"];
  result: PolicyResult["result"] | false;
  decided: boolean;
};

export type RankedVerdict = Pick<Verdict, "results" | "unmet" | "decidedBy">;

/** Those that decided first, and those whose condition did not hold last. At most 50. */
export function rankResults({ results, unmet, decidedBy }: RankedVerdict): RankedResult[] {
  const decisive = new Set(decidedBy);
  const deciding = results.filter(({ policy }) => decisive.has(policy));
  const holding = results.filter(({ policy }) => !decisive.has(policy));
  const others = unmet
    .slice(0, LIMITS.decisionPolicies)
    .map((policy) => ({ policy, result: false as const }));
  return [...deciding, ...holding, ...others]
    .slice(0, LIMITS.decisionPolicies)
    .map(({ policy, result }, place) => ({ policy, result, decided: place < deciding.length }));
}
