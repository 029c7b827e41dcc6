import type { Ctx } from "../kernel/context.ts";
import { fieldErrors } from "../kernel/field-errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { type Condition, compileCondition } from "./condition/compile-condition.ts";
import { type PolicyRuleInput, policyRule } from "./policy-rule.ts";

/** Something about a rule. `start` and `end` are places in `when`, in UTF-16 units; null for other fields. */
export type PolicyProblem = { field: string; message: string; start: number | null; end: number | null };

export type PolicyValidation = { errors: PolicyProblem[]; warnings: PolicyProblem[] };

/**
 * Checks a rule while it is written. What has errors can't be saved; warnings say what may surprise.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read`.
 */
export function validatePolicy(ctx: Ctx, rule: PolicyRuleInput): PolicyValidation {
  requireScope(ctx, "gateway:read");
  const parsed = policyRule.safeParse(rule);
  const others = parsed.success ? [] : fieldErrors(parsed.error).filter(({ field }) => field !== "when");
  const compiled = rule.when ? compileCondition(rule.when) : null;
  const problems = compiled !== null && "problems" in compiled ? compiled.problems : [];
  const condition = compiled !== null && "condition" in compiled ? compiled.condition : null;
  const errors = [
    ...others.map(({ field, detail }) => ({ field, message: detail, start: null, end: null })),
    ...problems.map(({ message, start, end }) => ({ field: "when", message, start, end })),
  ];
  return { errors, warnings: condition === null ? [] : listWarnings(rule, condition) };
}

/** What only some requests have. */
const OPTIONAL = /^(?:args|request|(?:action|subject|resource)\.properties|(?:agent|resource)\.labels)[.[]/;

function listWarnings({ effect, when }: PolicyRuleInput, { paths, guarded }: Condition): PolicyProblem[] {
  if (effect === "allow") return [];
  return [...paths]
    .filter((path) => OPTIONAL.test(path) && !guarded.has(path))
    .map((path) => {
      const start = when?.indexOf(path) ?? -1;
      const place = start < 0 ? { start: null, end: null } : { start, end: start + path.length };
      return { field: "when", message: explainUnguarded(path), ...place };
    });
}

function explainUnguarded(path: string): string {
  return `denies every request without ${path}. To leave those to other policies, write has(${path}) && before it`;
}
