import { explainDecision } from "../../domain/decisions/explain-decision.ts";
import type { Explanation, ExplanationStep, PolicyExplanation } from "../../domain/decisions/explanation.ts";
import type { ConditionPart, PartResult } from "../../domain/policies/condition/condition-parts.ts";
import { testPolicies } from "../../domain/policies/test-policies.ts";
import { builder } from "../builder.ts";
import { addEnum, toEnumValues } from "../enum.ts";
import { fromGlobalId, fromOptionalGlobalId } from "../global-id.ts";
import { DecisionOutcomeEnum, DecisionReasonEnum, ExceededBudgetType } from "./decision.ts";
import { PolicyChangesInput, toChanges } from "./policy-changes.ts";
import { ApprovalTerms, PolicyEffectEnum, PolicyModeEnum } from "./policy-rule.ts";

/** A list that comes with its parent: nothing is read for it. */
const GIVEN_LIST = { field: 1, multiplier: 1 };

/** The parts of up to 50 conditions are evaluated. */
const EXPLANATION_COST = 1000;

const ConditionResultEnum = addEnum(
  "ConditionResult",
  toEnumValues(["true", "false", "error", "unknown"]),
  "Whether a condition holds. UNKNOWN if it reads what is not known any more.",
);

const StepEnum = addEnum(
  "DecisionStepKind",
  toEnumValues(["stop", "review", "policies", "budgets", "approval"]),
  "STOP: whether the subject may do anything at all. REVIEW: whether an admin has approved the tool as it is.",
);

const Part = builder.objectRef<ConditionPart>("ConditionPart").implement({
  description:
    "A part of a condition, evaluated by itself. All parts of depth 0 must hold; of those of depth 1 that follow one, any; of those of depth 2 all, and so on.",
  fields: (t) => ({
    text: t.exposeString("text", { description: "As it is written." }),
    start: t.exposeInt("start", { description: "Where in the condition it begins, in UTF-16 units." }),
    end: t.exposeInt("end"),
    depth: t.exposeInt("depth"),
    result: t.field({ type: ConditionResultEnum, resolve: ({ result }) => toResult(result) }),
    error: t.string({ nullable: true, resolve: ({ result }) => toMessage(result) }),
  }),
});

const ConsideredPolicy = builder.objectRef<PolicyExplanation>("ConsideredPolicy").implement({
  description: "A policy in whose scope the request is, as it was then.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID", nullable: true, description: "Null for one that is not saved." }),
    generation: t.exposeInt("generation", { nullable: true }),
    name: t.exposeString("name"),
    effect: t.expose("effect", { type: PolicyEffectEnum }),
    mode: t.expose("mode", { type: PolicyModeEnum }),
    result: t.field({
      type: ConditionResultEnum,
      description: "Whether its condition held, so that it applied.",
      resolve: ({ result }) => toResult(result),
    }),
    error: t.string({ nullable: true, resolve: ({ result }) => toMessage(result) }),
    decided: t.exposeBoolean("decided", { description: "Whether it made the outcome." }),
    conditions: t.expose("conditions", {
      type: [Part],
      description: "Empty without a condition.",
      complexity: GIVEN_LIST,
    }),
  }),
});

const Step = builder.objectRef<ExplanationStep>("DecisionStep").implement({
  description: "A step of a decision.",
  fields: (t) => ({
    step: t.expose("step", { type: StepEnum }),
    decided: t.exposeBoolean("decided", { description: "Whether it made the outcome." }),
    considered: t.int({
      nullable: true,
      description: "In the scope of how many policies the request was. Null in other steps.",
      resolve: (step) => (step.step === "policies" ? step.considered : null),
    }),
    of: t.int({
      nullable: true,
      description: "How many enabled policies there were. Null in other steps.",
      resolve: (step) => (step.step === "policies" ? step.of : null),
    }),
    policies: t.field({
      type: [ConsideredPolicy],
      nullable: { list: true, items: false },
      description: "Those that decided first, at most 50. Null in other steps.",
      complexity: GIVEN_LIST,
      resolve: (step) => (step.step === "policies" ? step.policies : null),
    }),
    approval: t.field({
      type: ApprovalTerms,
      nullable: true,
      description: "How people approve. Null in other steps, or if it is not known.",
      resolve: (step) => (step.step === "approval" ? step.approval : null),
    }),
    budget: t.field({
      type: ExceededBudgetType,
      nullable: true,
      description: "The budget without room. Null in other steps.",
      resolve: (step) => (step.step === "budgets" ? step.budget : null),
    }),
  }),
});

const DecisionExplanation = builder.objectRef<Explanation>("DecisionExplanation").implement({
  description: "Why a request was decided as it was.",
  fields: (t) => ({
    outcome: t.expose("outcome", { type: DecisionOutcomeEnum }),
    reason: t.expose("reason", { type: DecisionReasonEnum }),
    generation: t.exposeInt("generation", {
      nullable: true,
      description: "Counts the changes of the workspace's policies. Null if they were not asked.",
    }),
    steps: t.expose("steps", {
      type: [Step],
      description: "In their order, up to the one that decided.",
      complexity: GIVEN_LIST,
    }),
    request: t.expose("request", {
      type: "JSON",
      nullable: true,
      description: "The request. If it was stored, without secrets, and null if it has more than 16 KiB.",
    }),
    gaps: t.exposeStringList("gaps", { description: "What can't be said, and why." }),
  }),
});

builder.queryFields((t) => ({
  explainDecision: t.field({
    type: DecisionExplanation,
    description: "Explains a decision by the policies as they were then.",
    args: { id: t.arg.id({ required: true }) },
    complexity: EXPLANATION_COST,
    resolve: (_root, { id }, ctx) => explainDecision(ctx, { id: fromGlobalId("id", "Decision", id) }),
  }),
  testPolicies: t.field({
    type: DecisionExplanation,
    description: "Explains what the gateway would say to a request now. Nothing is stored.",
    args: {
      requestText: t.arg.string({ required: true, description: "As in `checkGateway`." }),
      agentId: t.arg.id({ description: "The agent that asks. Required for a request without a subject." }),
      changes: t.arg({ type: PolicyChangesInput, description: "The policies as they would be." }),
    },
    complexity: EXPLANATION_COST,
    resolve: (_root, { requestText, agentId, changes }, ctx) =>
      testPolicies(ctx, {
        requestText,
        agentId: fromOptionalGlobalId("agentId", "Agent", agentId),
        changes: changes ? toChanges(changes) : null,
      }),
  }),
}));

function toResult(result: PartResult): "true" | "false" | "error" | "unknown" {
  if (typeof result === "boolean") return result ? "true" : "false";
  return result === "unknown" ? result : "error";
}

function toMessage(result: PartResult): string | null {
  return typeof result === "object" ? result.message : null;
}
