import type { DecisionOutcome, DecisionReason, PolicyEffect, PolicyMode } from "../../db/generated/enums.ts";
import type { ExceededBudget } from "../kernel/errors.ts";
import type { Steps } from "../kernel/turns.ts";
import type { ConditionError } from "../policies/condition/compile-condition.ts";
import {
  type ConditionPart,
  type KnownValues,
  explainCondition,
} from "../policies/condition/condition-parts.ts";
import { MOST_STEPS } from "../policies/condition/evaluate-within.ts";
import type { ApprovalTerms } from "../policies/policy-rule.ts";

/** Why a request was decided as it was. */
export type Explanation = {
  outcome: DecisionOutcome;
  reason: DecisionReason;
  /** The generation of the workspace's policies; null if they were not asked. */
  generation: number | null;
  /** In their order, up to the one that decided. */
  steps: ExplanationStep[];
  /** Without secrets; null if it is not known any more. */
  request: unknown;
  /** What can't be said, and why. */
  gaps: string[];
};

export type ExplanationStep =
  | { step: "stop"; decided: boolean }
  /** Of the tool of an MCP server. */
  | { step: "review"; decided: boolean }
  | PoliciesStep
  /** The budget without room, as it was then. */
  | { step: "budgets"; decided: boolean; budget: ExceededBudget }
  /** Null if it is not known how. */
  | { step: "approval"; decided: boolean; approval: ApprovalTerms | null };

type PoliciesStep = {
  step: "policies";
  decided: boolean;
  /** In the scope of how many policies the request was, and how many there were. */
  considered: number;
  of: number;
  policies: PolicyExplanation[];
};

export type PolicyExplanation = ExplainedPolicy & { conditions: ConditionPart[] };

/** A policy in whose scope a request is. */
export type ExplainedPolicy = {
  /** Null for one that is not saved. */
  id: string | null;
  generation: number | null;
  name: string;
  effect: PolicyEffect;
  mode: PolicyMode;
  /** Whether its condition held, or why that can't be said. */
  result: boolean | ConditionError;
  /** Whether it made the outcome. */
  decided: boolean;
  /** Its condition; null without one, or if it is not known any more. */
  when: string | null;
};

/** Evaluates the parts of conditions, each by itself: together they may cost as much as a decision. */
export function* explainPolicies(
  policies: readonly ExplainedPolicy[],
  values: KnownValues,
): Steps<PolicyExplanation[]> {
  const explained: PolicyExplanation[] = [];
  const left = { steps: MOST_STEPS };
  for (const policy of policies) {
    const { when } = policy;
    explained.push({ ...policy, conditions: when === null ? [] : explainCondition(when, values, left) });
    yield;
  }
  return explained;
}

type Decided = {
  outcome: DecisionOutcome;
  reason: DecisionReason;
  /** Null if the policies were not asked. */
  policies: Omit<PoliciesStep, "step" | "decided"> | null;
  approval: ApprovalTerms | null;
  /** The budget without room. */
  budget: ExceededBudget | null;
};

/** Lists the steps of a decision, up to the one that decided. */
export function listSteps({ outcome, reason, policies, approval, budget }: Decided): ExplanationStep[] {
  const stop = { step: "stop" as const, decided: false };
  if (REVIEW_REASONS.has(reason)) return [stop, { step: "review", decided: true }];
  if (policies === null) return [{ ...stop, decided: true }];
  const asked = outcome === "ask" || APPROVAL_REASONS.has(reason);
  const isExceeded = budget !== null;
  const steps = [stop, { step: "policies" as const, decided: !asked && !isExceeded, ...policies }];
  if (isExceeded) return [...steps, { step: "budgets", decided: true, budget }];
  return asked ? [...steps, { step: "approval", decided: true, approval }] : steps;
}

/** Reasons of what admins have not approved. */
const REVIEW_REASONS: ReadonlySet<DecisionReason> = new Set(["tool_unreviewed", "tool_blocked"]);

/** Reasons of what a policy asks about. */
const APPROVAL_REASONS: ReadonlySet<DecisionReason> = new Set([
  "approval_required",
  "approval_granted",
  "approval_expired",
  "approval_unverifiable",
  "out_of_scope",
]);

/** Says how many of the considered policies are not listed, if any. */
export function listUnlisted(considered: number, listed: number): string[] {
  const count = considered - listed;
  return count > 0 ? [`${count} of the considered policies were not evaluated, or are not listed.`] : [];
}
