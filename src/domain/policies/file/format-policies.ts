import { stringify } from "yaml";
import type { Steps } from "../../kernel/turns.ts";
import {
  type ApprovalTerms,
  type PolicyResource,
  type PolicyRule,
  type PolicySubject,
  USUAL_TERMS,
} from "../policy-rule.ts";

const OPTIONS = { lineWidth: 0, aliasDuplicateObjects: false };

/**
 * Writes rules as YAML: in order of their names, without what is said by default, so that a file changes only where a
 * rule does.
 */
export function* formatPolicies(rules: readonly PolicyRule[]): Steps<string> {
  if (rules.length === 0) return stringify({ version: 1, policies: [] });
  const parts = [stringify({ version: 1 }), HEAD];
  for (const rule of rules.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    parts.push(stringify({ policies: [toFileRule(rule)] }, OPTIONS).slice(HEAD.length));
    yield;
  }
  return parts.join("");
}

const HEAD = "policies:\n";

/** In one order of fields, whatever order they were stored in. */
function toFileRule(rule: PolicyRule): Record<string, unknown> {
  const { name, description, effect, subjects, actions, resources, when, approval, enabled, mode } = rule;
  const fields = {
    name,
    description,
    effect,
    subjects: subjects?.map(toFileEntity),
    actions,
    resources: resources?.map(toFileEntity),
    when,
    ...(approval !== null && toFileApproval(approval)),
    ...(!enabled && { enabled }),
    ...(mode !== "enforce" && { mode }),
  };
  return omitUnsaid(fields);
}

function toFileEntity(entity: PolicySubject | PolicyResource): Record<string, unknown> {
  const { type, name, labels, kind, ...others } = entity;
  return omitUnsaid({ type, name, labels, kind, ...others });
}

function omitUnsaid(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** Without the defaults. */
function toFileApproval(approval: ApprovalTerms): { approval?: object } {
  const { ttlSeconds, validSeconds, ...others } = approval;
  const named = { ...others, ttl_s: ttlSeconds, valid_s: validSeconds };
  const defaults: Record<string, unknown> = {
    ...USUAL_TERMS,
    ttl_s: USUAL_TERMS.ttlSeconds,
    valid_s: USUAL_TERMS.validSeconds,
  };
  const said = Object.entries(named).filter(([name, value]) => value !== defaults[name]);
  return said.length === 0 ? {} : { approval: Object.fromEntries(said) };
}
