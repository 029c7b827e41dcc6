import { LIMITS } from "../kernel/limits.ts";
import type { PolicyResult, Verdict } from "../policies/decide.ts";

/** A policy's result, and whether it made the outcome. */
export type RankedResult = PolicyResult & { decided: boolean };

/** Those that decided first, and those whose condition did not hold last. At most 50. */
export function rankResults({ results, decidedBy }: Verdict): RankedResult[] {
  const deciding = new Set(decidedBy);
  const all = results.map((one) => ({ ...one, decided: deciding.has(one.policy) }));
  const ranked = [
    ...all.filter(({ decided }) => decided),
    ...all.filter(({ decided, result }) => !decided && result !== false),
    ...all.filter(({ decided, result }) => !decided && result === false),
  ];
  return ranked.slice(0, LIMITS.decisionPolicies);
}
