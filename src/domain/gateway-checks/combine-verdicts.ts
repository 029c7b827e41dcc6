import { combineTerms } from "../policies/combine-terms.ts";
import type { Verdict } from "../policies/decide.ts";

/** What policies say to an order to one of several agents, whichever it is: the strictest that they say to any. */
export function combineVerdicts(verdicts: readonly Verdict[]): Verdict {
  const asking = verdicts.filter(({ outcome }) => outcome === "ask");
  const strictest = verdicts.find(({ outcome }) => outcome === "deny") ?? asking[0] ?? verdicts[0];
  if (strictest === undefined) throw new Error("an order is to at least one agent");
  if (strictest.outcome !== "ask") return strictest;
  const policies = new Map(asking.flatMap(({ decidedBy }) => decidedBy.map((policy) => [policy.id, policy])));
  const terms = combineTerms(asking.map((verdict) => ({ approval: verdict.terms })));
  return { ...strictest, decidedBy: [...policies.values()], terms };
}
