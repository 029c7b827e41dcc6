import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { graphql } from "../../../src/schema/graphql.ts";
import { ExceededBudgetFields, exceededBudget, exceededBudgetJson } from "./reservation-shape.ts";
import { toWireEnum, uuid } from "../shared/shapes.ts";

const outcome = z.enum(["allow", "deny", "ask"]);
const result = z.enum(["true", "false", "error", "unknown"]);

const condition = z
  .strictObject({
    text: z.string().openapi({ description: "As it is written." }),
    start: z.int().openapi({ description: "Where in the condition it begins, in UTF-16 units." }),
    end: z.int(),
    depth: z.int(),
    result,
    error: z.string().nullable(),
  })
  .openapi("ConditionPart", {
    description:
      "A part of a condition, evaluated by itself. All parts of depth 0 must hold; of those of depth 1 that follow one, any; of those of depth 2 all, and so on. Unknown if it reads what is not known any more.",
  });

const policy = z
  .strictObject({
    id: uuid.nullable(),
    generation: z.int().nullable(),
    name: z.string(),
    effect: outcome,
    mode: z.enum(["enforce", "monitor"]),
    result,
    error: z.string().nullable(),
    decided: z.boolean(),
    conditions: z.array(condition),
  })
  .openapi("ConsideredPolicy", { description: "A policy in whose scope the request is, as it was then." });

const approval = z
  .strictObject({
    role: z.enum(["owner", "admin", "operator", "viewer"]),
    persons: z.int(),
    ttl_s: z.int(),
    valid_s: z.int(),
    uses: z.int(),
    scope: z.enum(["exact", "tool"]),
    edits: z.boolean(),
  })
  .openapi("ApprovalTerms");

const step = z
  .strictObject({
    step: z.enum(["stop", "policies", "budgets", "approval"]),
    decided: z.boolean().openapi({ description: "Whether it made the outcome." }),
    considered: z.int().nullable().openapi({
      description: "For `policies`: in the scope of how many the request was.",
    }),
    of: z.int().nullable().openapi({ description: "For `policies`: how many enabled ones there were." }),
    policies: z.array(policy).nullable().openapi({
      description: "For `policies`: those that decided first, at most 50.",
    }),
    approval: approval.nullable().openapi({ description: "For `approval`: how people approve." }),
    budget: z
      .union([exceededBudget, z.null()])
      .openapi({ description: "For `budgets`: the one without room." }),
  })
  .openapi("DecisionStep");

export const explanation = z
  .strictObject({
    outcome,
    reason: z.string().openapi({ example: "policy_deny" }),
    generation: z.int().nullable().openapi({
      description: "Counts the changes of the workspace's policies. Null if they were not asked.",
    }),
    steps: z.array(step).openapi({ description: "In their order, up to the one that decided." }),
    request: z.unknown().openapi({
      description: "The request without secrets. Null if it has more than 16 KiB.",
    }),
    gaps: z.array(z.string()).openapi({ description: "What can't be said, and why." }),
  })
  .openapi("DecisionExplanation");

export const ExplanationFields = graphql(
  `
    fragment ExplanationFields on DecisionExplanation {
      outcome
      reason
      generation
      steps {
        step
        decided
        considered
        of
        policies {
          id: uuid
          generation
          name
          effect
          mode
          result
          error
          decided
          conditions {
            text
            start
            end
            depth
            result
            error
          }
        }
        approval {
          role
          persons
          ttl_s: ttlSeconds
          valid_s: validSeconds
          uses
          scope
          edits
        }
        budget {
          ...ExceededBudgetFields
        }
      }
      request
      gaps
    }
  `,
  [ExceededBudgetFields],
);

type Step = ResultOf<typeof ExplanationFields>["steps"][number];
type Policy = NonNullable<Step["policies"]>[number];

/** Converts an explanation to the REST shape. */
export function explanationJson({
  outcome: made,
  reason,
  steps,
  ...fields
}: ResultOf<typeof ExplanationFields>) {
  return {
    ...fields,
    outcome: toWireEnum(made),
    reason: toWireEnum(reason),
    steps: steps.map(stepJson),
  };
}

function stepJson({ step: kind, policies, approval: terms, budget, ...fields }: Step) {
  return {
    ...fields,
    step: toWireEnum(kind),
    policies: policies && policies.map(policyJson),
    budget: budget && exceededBudgetJson(budget),
    approval: terms && { ...terms, role: toWireEnum(terms.role), scope: toWireEnum(terms.scope) },
  };
}

function policyJson({ effect, mode, result: own, conditions, ...fields }: Policy) {
  return {
    ...fields,
    effect: toWireEnum(effect),
    mode: toWireEnum(mode),
    result: toWireEnum(own),
    conditions: conditions.map((part) => ({ ...part, result: toWireEnum(part.result) })),
  };
}
