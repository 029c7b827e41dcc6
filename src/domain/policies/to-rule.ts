import type { Policy } from "../../db/generated/client.ts";
import type { ApprovalTerms, PolicyResource, PolicyRule, PolicySubject } from "./policy-rule.ts";

type StoredField =
  | ("name" | "description" | "enabled" | "mode" | "effect")
  | ("subjects" | "actions" | "resources" | "when" | "approval");

/** Returns the rule of a stored policy, as it was parsed when it was saved. */
export function toRule(policy: Pick<Policy, StoredField>): PolicyRule {
  const { name, description, enabled, mode, effect, actions, when } = policy;
  return {
    name,
    description,
    enabled,
    mode,
    effect,
    actions,
    when,
    // JSON that was parsed by policyRule.
    subjects: policy.subjects as PolicySubject[] | null,
    resources: policy.resources as PolicyResource[] | null,
    approval: policy.approval as ApprovalTerms | null,
  };
}
