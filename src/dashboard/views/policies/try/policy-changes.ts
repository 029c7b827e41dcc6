import type { RuleInput } from "../form/policy-input.ts";

/** Changes of policies that are tried and not saved. */
export type PolicyChanges = { rules: RuleInput[]; removed: string[] };

/**
 * A rule in the place of a saved one.
 *
 * @param replaced the saved one's name; null for a new policy.
 */
export function toPolicyChanges(rule: RuleInput, replaced: string | null): PolicyChanges {
  return { rules: [rule], removed: replaced === null || replaced === rule.name ? [] : [replaced] };
}
