import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

/** A policy that was looked at, with the parts of its condition. */
const ExplainedPolicy = graphql(`
  fragment ExplainedPolicy on ConsideredPolicy {
    uuid
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
      depth
      result
      error
    }
  }
`);

export type ExplainedPolicy = ResultOf<typeof ExplainedPolicy>;

/** Why a request was or would be decided so. */
export const ExplanationFields = graphql(
  `
    fragment ExplanationFields on DecisionExplanation {
      outcome
      reason
      gaps
      steps {
        step
        decided
        considered
        of
        policies {
          ...ExplainedPolicy
        }
        approval {
          role
          persons
          ttlSeconds
          validSeconds
          uses
          scope
          edits
        }
        budget {
          uuid
          name
          unit
          limit
          used
          reserved
        }
      }
    }
  `,
  [ExplainedPolicy],
);

export type ShownExplanation = ResultOf<typeof ExplanationFields>;
export type ExceededBudget = NonNullable<ShownStep["budget"]>;
export type ShownStep = ShownExplanation["steps"][number];
