import type { MatchedPolicy } from "../decisions/decision-row.ts";
import type { Verdict } from "../policies/decide.ts";
import { rankResults } from "./rank-results.ts";

/** Lists policies as they are stored with a decision, in the order of {@link rankResults}. */
export function listMatched(verdict: Pick<Verdict, "results" | "decidedBy">): MatchedPolicy[] {
  return rankResults(verdict).map(({ policy, result, decided }) => ({
    id: policy.id,
    generation: policy.generation,
    name: policy.name,
    effect: policy.effect,
    mode: policy.mode,
    result: typeof result === "boolean" ? result : result.code,
    decided,
  }));
}
