import type { MatchedPolicy } from "../decisions/decision-row.ts";
import { type RankedVerdict, rankResults } from "./rank-results.ts";

/** Lists policies as they are stored with a decision, in the order of {@link rankResults}. */
export function listMatched(verdict: RankedVerdict): MatchedPolicy[] {
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
