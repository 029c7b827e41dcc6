import type { ResultOf } from "gql.tada";
import { graphql } from "../../data/graphql.ts";

/** A sum of a budget in its current period. */
export const BudgetSumFields = graphql(`
  fragment BudgetSumFields on BudgetSum {
    subject
    agent {
      id
      name
    }
    limit
    used
    reserved
    assumed
    reported
    startsAt
    endsAt
  }
`);

export type ShownSum = ResultOf<typeof BudgetSumFields>;

/** A budget's rule, and who wrote it. */
export const BudgetFields = graphql(`
  fragment BudgetFields on Budget {
    id
    uuid
    name
    description
    enabled
    unit
    limit
    period
    timeZone
    scope {
      type
      agentUuid
      agent {
        id
        name
      }
      label
      value
    }
    thresholds {
      percent
      action
    }
    defaultEstimate
    onExpiry
    createdBy {
      name
    }
    updatedBy {
      name
    }
    generation
    createdAt
    updatedAt
  }
`);

export type ShownBudget = ResultOf<typeof BudgetFields>;

/** One budget, with the fullest of its sums. */
export const BudgetQuery = graphql(
  `
    query BudgetPage($id: ID!, $sums: Int!) {
      budget(id: $id) {
        ...BudgetFields
        windows(first: $sums, order: FULLEST) {
          ...BudgetSumFields
        }
      }
    }
  `,
  [BudgetFields, BudgetSumFields],
);

/** When a budget's rule changes, or a sum reaches a threshold. Other changes of sums have no events. */
export const BUDGET_FRESHNESS = { types: ["budget.*"], everyMs: 5000 };

export const UNITS = ["USD", "TOKENS", "CALLS"] as const;
