import type { DecisionRow, MatchedPolicy } from "../decisions/decision-row.ts";
import { LIMITS } from "../kernel/limits.ts";

/** A decision, new or as it was stored. */
export type Denial = Pick<DecisionRow, "outcome" | "reason" | "matched"> & { createdAt: Date | string };

/** Until when people can be asked about a decision; null if it is not one to ask about. */
export function getRequestableUntil(denial: Denial): Date | null {
  const { outcome, reason, createdAt } = denial;
  const isOfApproval = reason === "approval_expired" || reason === "out_of_scope";
  if (outcome !== "ask" && !(isOfApproval && listAskingPolicies(denial).length > 0)) return null;
  return new Date(new Date(createdAt).getTime() + LIMITS.requestableSeconds * 1000);
}

/** The policies that ask. None if a budget does. */
export function listAskingPolicies({ matched }: Pick<Denial, "matched">): MatchedPolicy[] {
  return matched.filter(({ decided, effect }) => decided && effect === "ask");
}
