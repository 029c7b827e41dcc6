import type { DecisionOutcome, DecisionReason } from "../../db/generated/enums.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Steps } from "../kernel/turns.ts";
import type { CompiledPolicy } from "./compile-policy.ts";
import type { Condition, ConditionError } from "./condition/compile-condition.ts";
import type { ConditionValues } from "./condition/condition-values.ts";
import { MOST_STEPS, type StepsLeft, TOO_COSTLY, evaluateWithin } from "./condition/evaluate-within.ts";
import { combineTerms } from "./combine-terms.ts";
import type { ApprovalTerms } from "./policy-rule.ts";

/** A policy whose scope a request is in, and that its condition holds, or why that can't be said. */
export type PolicyResult = { policy: CompiledPolicy; result: true | ConditionError };

export type Verdict = {
  outcome: DecisionOutcome;
  reason: DecisionReason;
  /** The policies that made the outcome: none for a default. */
  decidedBy: CompiledPolicy[];
  /** How the question is to be approved; null unless the outcome is `ask`. */
  terms: ApprovalTerms | null;
  /** The outcome if monitored policies counted, where it is another one. */
  would: DecisionOutcome | null;
  results: PolicyResult[];
  /** The policies whose condition does not hold: in most checks nearly all. */
  unmet: CompiledPolicy[];
};

/** The most policies that one request is checked by. */
export const MOST_POLICIES = 500;
/** How many steps pass before others have a turn. */
const TURN_STEPS = 1000;

const INVALID: ConditionError = { code: "invalid", message: "is not valid on this server: save it again" };

/**
 * Decides by the policies whose scope a request is in: deny before ask before allow before the fallback. A
 * deny or ask whose condition can't be evaluated denies; an allow whose condition can't be grants nothing.
 * Monitored policies change no outcome.
 */
export function* decide(
  policies: readonly CompiledPolicy[],
  values: ConditionValues,
  fallback: "allow" | "deny",
): Steps<Verdict> {
  const unusable = findUnusable(policies, values);
  if (unusable !== null) return unusable;
  const { results, unmet } = yield* evaluateAll(policies, values);
  const enforced = results.filter(({ policy }) => policy.mode === "enforce");
  const verdict = combine(enforced, fallback);
  // A monitored policy that errs is logged, and changes nothing.
  const monitored = results.filter(({ policy, result }) => policy.mode === "monitor" && result === true);
  const { outcome: would } =
    monitored.length === 0 ? verdict : combine([...enforced, ...monitored], fallback);
  return { ...verdict, would: would === verdict.outcome ? null : would, results, unmet };
}

/** Whether enforced rules that deny or ask can't be trusted with the request: they would silently not apply. */
function findUnusable(
  policies: readonly CompiledPolicy[],
  { hasArguments, elements }: ConditionValues,
): Verdict | null {
  const isLarge = elements > LIMITS.checkedElements;
  if (hasArguments && !isLarge) return null;
  for (const policy of policies.slice(0, MOST_POLICIES)) {
    if (policy.effect === "allow" || policy.mode === "monitor") continue;
    const condition = policy.getCondition();
    if (condition === null || condition === "invalid") continue;
    if (!hasArguments && readsArguments(condition)) {
      return denyUnusable(policy, "arguments_missing");
    }
    if (isLarge && condition.readsElements) {
      return denyUnusable(policy, "request_unusable");
    }
  }
  return null;
}

/** The other policies are not evaluated. */
function denyUnusable(policy: CompiledPolicy, reason: "arguments_missing" | "request_unusable"): Verdict {
  const result = { code: reason, message: UNUSABLE[reason] };
  return { ...toVerdict("deny", reason, [policy]), would: null, results: [{ policy, result }], unmet: [] };
}

const UNUSABLE = {
  arguments_missing: "reads the arguments, which the request does not have",
  request_unusable: `looks at all elements of a request with more than ${LIMITS.checkedElements}`,
};

function readsArguments({ paths }: Condition): boolean {
  return [...paths].some((path) => /^(?:args|action\.properties)(?![A-Za-z0-9_])/.test(path));
}

function* evaluateAll(
  policies: readonly CompiledPolicy[],
  values: ConditionValues,
): Steps<Pick<Verdict, "results" | "unmet">> {
  const results: PolicyResult[] = [];
  const unmet: CompiledPolicy[] = [];
  const left = { steps: MOST_STEPS };
  let untilSteps = MOST_STEPS - TURN_STEPS;
  for (const policy of policies) {
    const condition = results.length + unmet.length < MOST_POLICIES ? policy.getCondition() : TOO_COSTLY;
    const result = evaluate(condition, values, left);
    if (result === false) unmet.push(policy);
    else results.push({ policy, result });
    if (left.steps > untilSteps) continue;
    untilSteps = left.steps - TURN_STEPS;
    yield;
  }
  return { results, unmet };
}

function evaluate(
  condition: ReturnType<CompiledPolicy["getCondition"]> | ConditionError,
  values: ConditionValues,
  left: StepsLeft,
): boolean | ConditionError {
  left.steps--;
  if (condition === null) return true;
  if (condition === "invalid") return INVALID;
  return "code" in condition ? condition : evaluateWithin(left, condition, values);
}

function combine(
  results: readonly PolicyResult[],
  fallback: "allow" | "deny",
): Omit<Verdict, "would" | "results" | "unmet"> {
  const errors = results.filter(({ policy, result }) => policy.effect !== "allow" && result !== true);
  const holding = results.filter(({ result }) => result === true).map(({ policy }) => policy);
  const [denies, asks, allows] = (["deny", "ask", "allow"] as const).map((effect) =>
    holding.filter((policy) => policy.effect === effect),
  );
  if (errors.length > 0)
    return toVerdict(
      "deny",
      "policy_error",
      errors.map(({ policy }) => policy),
    );
  if (denies?.length) return toVerdict("deny", "policy_deny", denies);
  if (asks?.length) return { ...toVerdict("ask", "approval_required", asks), terms: combineTerms(asks) };
  if (allows?.length) return toVerdict("allow", "policy_allow", allows);
  return toVerdict(fallback, fallback === "allow" ? "default_allow" : "default_deny", []);
}

function toVerdict(outcome: DecisionOutcome, reason: DecisionReason, decidedBy: CompiledPolicy[]) {
  return { outcome, reason, decidedBy, terms: null };
}
