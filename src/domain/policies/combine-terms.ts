import { isAtLeast } from "../kernel/scopes.ts";
import type { CompiledPolicy } from "./compile-policy.ts";
import type { ApprovalTerms } from "./policy-rule.ts";

/** The strictest terms of all policies that ask: what satisfies them satisfies each. */
export function combineTerms(policies: readonly Pick<CompiledPolicy, "approval">[]): ApprovalTerms | null {
  return policies
    .map(({ approval }) => approval)
    .filter((terms) => terms !== null)
    .reduce<ApprovalTerms | null>(
      (strictest, terms) => (strictest === null ? terms : combineTwo(strictest, terms)),
      null,
    );
}

function combineTwo(one: ApprovalTerms, other: ApprovalTerms): ApprovalTerms {
  return {
    role: isAtLeast(one.role, other.role) ? one.role : other.role,
    persons: Math.max(one.persons, other.persons),
    ttlSeconds: Math.min(one.ttlSeconds, other.ttlSeconds),
    validSeconds: Math.min(one.validSeconds, other.validSeconds),
    uses: Math.min(one.uses, other.uses),
    scope: one.scope === "exact" ? one.scope : other.scope,
    edits: one.edits && other.edits,
  };
}
