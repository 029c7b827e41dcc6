import { LIMITS } from "../kernel/limits.ts";
import type { PolicyResult, Verdict } from "../policies/decide.ts";

/** A policy's result, and whether it made the outcome. */
export type RankedResult = PolicyResult & { decided: boolean };

/** Those that decided first, and those whose condition did not hold last. At most 50. */
export function rankResults({ results, decidedBy }: Pick<Verdict, "results" | "decidedBy">): RankedResult[] {
  const decisive = new Set(decidedBy);
  const deciding: PolicyResult[] = [];
  const holding: PolicyResult[] = [];
  const others: PolicyResult[] = [];
  for (const one of results) {
    if (decisive.has(one.policy)) deciding.push(one);
    else if (one.result === false) others.push(one);
    else holding.push(one);
  }
  return [...deciding, ...holding, ...others]
    .slice(0, LIMITS.decisionPolicies)
    .map(({ policy, result }, place) => ({ policy, result, decided: place < deciding.length }));
}
